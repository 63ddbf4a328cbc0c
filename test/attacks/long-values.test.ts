import assert from 'node:assert/strict'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, test } from 'node:test'
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import { publishDense } from '../support/attack/dense-document.ts'
import { holdMeter } from '../support/attack/hold.ts'
import { type KnownValues, type LongRequest, longRequests, ordinaryRequest } from '../support/attack/long-requests.ts'
import type { ListedRoute } from '../support/attack/route-list.ts'
import { held, sizes, startTarget } from '../support/attack.ts'

/** No client may hold the thread longer. What is quadratic in a long value takes seconds. */
const MAX_HOLD_MS = 100

/** Time after which an answer shows a fault, even on a busy machine. */
const MAX_WAIT_MS = 5000

/** The small size takes turns with what is repeated; the full one sends everything to every field. */
const SIZE = sizes({ bodyLength: 65_536, hasTurns: true }, { bodyLength: 524_288, hasTurns: false })

const packed = promisify(gzip)

type Attacked = { ordinaryStatus: number; found: [field: string, status: number][]; heldMs: number }

describe('long values in every field', async () => {
  const meter = holdMeter({ after })
  const folder = mkdtempSync(join(tmpdir(), 'routes-'))
  after(() => rmSync(folder, { recursive: true, force: true }))
  const ROUTES_FILE = join(folder, 'routes.json')
  const listing = `--import=${new URL('../support/attack/route-list.ts', import.meta.url).href}`
  const target = await startTarget({ after }, undefined, {
    ...meter.settings,
    ROUTES_FILE,
    NODE_OPTIONS: `${meter.settings.NODE_OPTIONS} ${listing}`,
  })
  const listed = JSON.parse(readFileSync(ROUTES_FILE, 'utf8')) as ListedRoute[]
  // What is deleted would be out of reach of the others.
  const routes = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'].flatMap((method) =>
    listed.filter((route) => route.method === method && !route.isForOperators),
  )
  const [trackId, share, slug] = await Promise.all([
    target.tracks.create(),
    target.share(),
    publishDense(target, { pages: 2, text: () => 'lorem ipsum', content: { words: [], links: [] } }),
  ])
  const shareToken = share.replace('/shares/', '')

  function knownOf({ url }: ListedRoute): KnownValues {
    const isPublication = /^\/(publications|collections)/.test(url)
    const token = url.startsWith('/in/') ? target.token : shareToken
    return {
      params: { token, slug, id: isPublication ? slug : trackId, page: '1' },
      headers: { 'x-api-key': isPublication ? target.apiKey : target.token },
    }
  }

  async function statusOf({ method, path, headers, body }: LongRequest, isPacked = false): Promise<number> {
    const encoding = isPacked ? { 'content-encoding': 'gzip' } : {}
    const bytes = body === undefined ? undefined : isPacked ? await packed(body) : Buffer.from(body)
    return await new Promise((resolve) => {
      const sent = request(target.url + path, { method, headers: { ...headers, ...encoding }, agent: false })
      sent.once('response', (answer) => {
        const status = answer.statusCode!
        const finish = () => resolve(status)
        answer.once('close', finish).resume()
        // A live stream does not end by itself.
        if (answer.headers['content-type']?.startsWith('text/event-stream')) answer.destroy()
      })
      // A connection that is closed is an answer, too.
      sent.once('error', () => resolve(0)).end(bytes)
    })
  }

  /** Sends an ordinary request, then all the long ones. @returns the longest hold, and the statuses */
  async function attack(route: ListedRoute, turn: number): Promise<Attacked> {
    const known = knownOf(route)
    const ordinaryStatus = await statusOf(ordinaryRequest(route, known))
    const found: Attacked['found'] = []
    const heldMs = await meter.longestMs(target.pid, async () => {
      const options = { bodyLength: SIZE.bodyLength, turn: SIZE.hasTurns ? turn : undefined }
      for (const long of longRequests(route, known, options)) {
        const startMs = performance.now()
        found.push([long.field, await statusOf(long)])
        // No others are needed to show the fault.
        if (performance.now() - startMs > MAX_WAIT_MS) return
        if (long.field !== 'body') continue
        found.push([`${long.field}, packed`, await statusOf(long, true)])
      }
    })
    return { ordinaryStatus, found, heldMs }
  }

  test('of every route are answered without holding up others, and without an error of the server', async (t) => {
    const wrong: string[] = []
    const figures = { routes: 0, requests: 0, reached: 0, longestMs: 0 }
    for (const [turn, route] of routes.entries()) {
      if (wrong.length > 0) break
      const place = `${route.method} ${route.url}`
      const { ordinaryStatus, found, heldMs: firstMs } = await attack(route, turn)
      // The garbage collector holds the thread once, and a value each time.
      const heldMs = firstMs <= MAX_HOLD_MS ? firstMs : Math.min(firstMs, (await attack(route, turn)).heldMs)
      figures.routes++
      figures.requests += found.length
      if (![401, 403, 404].includes(ordinaryStatus)) figures.reached++
      figures.longestMs = Math.max(figures.longestMs, heldMs)
      if (heldMs > MAX_HOLD_MS) wrong.push(`${place} held the thread for ${heldMs} ms`)
      for (const [field, status] of found) if (status >= 500) wrong.push(`${place}, ${field}: ${status}`)
    }

    assert.deepEqual(wrong, [])
    assert.ok(figures.reached > 30, `${figures.reached} of ${figures.routes} routes let these requests in`)
    held(t, {
      routes: [figures.routes, ''],
      requests: [figures.requests, ''],
      'longest hold of the thread': [figures.longestMs, 'ms'],
    })
  })
})
