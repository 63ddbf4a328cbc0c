import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import { held, sizes, startTarget } from '../support/attack.ts'
import { publishPdf } from '../support/publish.ts'

const SIZE = sizes({ browsers: 400 }, { browsers: 7_232 })
const CONCURRENT = 20
/** Figures are stored within three seconds. */
const STORED_WITHIN_MS = 30_000

/** New readers that the figures take from one address in an hour. The attack may run over the turn of an hour. */
const MAX_READERS = 100

describe('invented readers', async () => {
  const target = await startTarget({ after })

  test('of one address count up to a limit, however many browsers it pretends to have', async (t) => {
    const { id, slug } = await publishPdf({ url: target.url, request: target.publish })
    const startedMs = performance.now()

    const browser = async (first: number) => {
      for (let at = first; at < SIZE.browsers; at += CONCURRENT)
        await (await target.read(`/p/${slug}`, { 'User-Agent': `Mozilla/5.0 (X11; Linux x86_64; rv:${at}.0)` })).text()
    }
    await Promise.all(Array.from({ length: CONCURRENT }, (_, at) => browser(at)))
    const durationSec = (performance.now() - startedMs) / 1000

    const { views, readers } = await figuresOnceCounted(id, SIZE.browsers)
    assert.equal(views, SIZE.browsers)
    assert.ok(readers >= MAX_READERS && readers <= 2 * MAX_READERS, `${readers} readers`)
    held(t, { 'invented readers': [SIZE.browsers, ''], in: [durationSec, 's'], 'counted readers': [readers, ''] })
  })

  async function figuresOnceCounted(id: string, views: number): Promise<{ views: number; readers: number }> {
    for (const startedMs = performance.now(); ; await wait(100)) {
      const response = await target.operator.request('GET', `/operator/publications/${id}/figures`)
      const { total } = (await response.json()) as { total: { views: number; readers: number } }
      if (total.views === views || performance.now() > startedMs + STORED_WITHIN_MS) return total
    }
  }
})
