import assert from 'node:assert/strict'
import { Agent, get } from 'node:http'
import { after, describe, test } from 'node:test'
import { held, sizes, startTarget } from '../support/attack.ts'
import { makePdf } from '../support/make-pdf.ts'
import { publishPdf, untilRendered } from '../support/publish.ts'

const SIZE = sizes({ requests: 48, strokes: 100 }, { requests: 120, strokes: 600 })

/** The attack may lengthen the wait for a first page by this; on a busy machine single waits vary by more than half. */
const FACTOR = 4
/** Waits are compared only above this: below, the machine decides. */
const USUAL_MS = 1_500

/** Images of the attack that may be finished before a document that arrives meanwhile has its first page. */
const FINISHED_BEFORE = 8

/** Pages with many strokes, which take long to draw at 2,400 pixels. */
function drawnPages(count: number, strokes: number): Buffer {
  const at = (seed: number, limit: number) => (seed * 7_919) % limit
  const lines = Array.from(
    { length: strokes },
    (_, n) => `${at(n, 612)} ${at(n, 787)} m ${at(n, 601)} ${at(n, 761)} l S`,
  )
  return makePdf({ pages: Array.from({ length: count }, () => ({ content: `0.3 w ${lines.join('\n')}` })) })
}

describe('large images', async () => {
  const target = await startTarget({ after })
  const service = { url: target.url, request: target.publish }

  /** Publishes a document. @returns the time until its first page is delivered */
  async function firstPageMs(): Promise<number> {
    const startedMs = performance.now()
    const { slug } = await publishPdf(service)
    const [address] = await imageAddresses(slug)
    const image = await target.read(`${address}/1200.jpg`)
    await image.arrayBuffer()
    assert.equal(image.status, 200)
    return performance.now() - startedMs
  }

  async function imageAddresses(slug: string): Promise<string[]> {
    const listed = await target.read(`/publications/${slug}/images`)
    return ((await listed.json()) as { images: string[] }).images.map((address) => new URL(address).pathname)
  }

  test('wanted by a stranger for every page do not delay the first page of a new document', async (t) => {
    const pdf = drawnPages(SIZE.requests / 2, SIZE.strokes)
    const { slug } = await publishPdf(service, { pdf })
    await untilRendered(service, slug)
    const usualMs = Math.min(await firstPageMs(), await firstPageMs())
    const wanted = (await imageAddresses(slug)).flatMap((address) => [`${address}/2400.jpg`, `${address}/2400.webp`])
    const probe = await target.probe()

    const agent = new Agent({ keepAlive: false })
    const answers: Answer[] = []
    const attack = wanted.map((path) =>
      request(agent, new URL(path, target.url)).then((answer) => answers.push(answer)),
    )
    while (!answers.some(({ status }) => status === 200)) await new Promise(setImmediate)
    const before = answers.filter(({ status }) => status === 200).length
    const attackedMs = await firstPageMs()
    const finished = answers.filter(({ status }) => status === 200).length - before
    agent.destroy()
    await Promise.all(attack)

    const bystanders = await probe.stop()
    const refused = answers.filter(({ status }) => status === 503)
    assert.ok(refused.length > 0)
    assert.ok(refused.every(({ retryAfter }) => Number(retryAfter) > 0))
    assert.ok(finished <= FINISHED_BEFORE, `${finished} large images were finished before the first page`)
    assert.ok(attackedMs < FACTOR * Math.max(usualMs, USUAL_MS), `${attackedMs} ms instead of ${usualMs} ms`)
    assert.equal(bystanders.points.failed + bystanders.health.failed, 0)
    held(t, {
      requests: [wanted.length, ''],
      'first page, usually': [usualMs, 'ms'],
      'first page, attacked': [attackedMs, 'ms'],
      'large images before it': [finished, ''],
      'refused with 503': [refused.length, ''],
      'longest wait of a phone': [bystanders.points.longestMs, 'ms'],
    })
  })
})

type Answer = { status?: number; retryAfter?: string }

/** Requests an image. The status is undefined if the agent is destroyed before the answer. */
function request(agent: Agent, url: URL): Promise<Answer> {
  return new Promise((resolve) => {
    get(url, { agent }, (response) => {
      const { statusCode: status, headers } = response
      response.resume().once('close', () => resolve({ status, retryAfter: headers['retry-after'] }))
    }).once('error', () => resolve({}))
  })
}
