import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { describe, type TestContext, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import type { Fetch } from '../../clients/typescript/src/queue/exchange.ts'
import type { PointInput, TrackChanges, TrackFields } from '../../clients/typescript/src/queue/wire.ts'
import { memoryStorage } from '../../clients/typescript/src/storage/memory-storage.ts'
import type { QueueStorage } from '../../clients/typescript/src/storage/queue-storage.ts'
import { openTrackQueue, type TrackQueue } from '../../clients/typescript/src/track-queue.ts'

const CASES = fileURLToPath(new URL('../../clients/cases', import.meta.url))

type Answer = { status: number; is_foreign?: boolean; headers?: Record<string, string>; body?: unknown }
type Exchange = {
  request: { method: string; path: string; headers?: Record<string, string>; body?: unknown }
  during?: Call[]
  answer: 'none' | Answer
}
type Call = {
  call: string
  device_track_id: string
  fields: TrackFields
  points: PointInput[]
  changes: TrackChanges
  token: string
  rejected?: { index: number; paths: string[] }[]
}
type State = { state: string; wait_ms?: { min: number; max: number }; is_asked?: boolean }
type Step = Call | { flush: Exchange[]; state: State } | { pass_ms: number } | { restart: true }
type Case = { name: string; checks_points?: boolean; steps: Step[]; tracks: unknown[]; set_aside: unknown[] }

describe('The queue', () => {
  for (const file of globSync('*.json', { cwd: CASES }).sort()) {
    const { name, ...one } = JSON.parse(readFileSync(`${CASES}/${file}`, 'utf8')) as Case

    test(`${name} (${file})`, async (t) => await runCase(t, one))
  }
})

async function runCase(
  t: TestContext,
  { checks_points = true, steps, tracks, set_aside }: Omit<Case, 'name'>,
): Promise<void> {
  const storage = memoryStorage()
  const keys = new Map<string, string>()
  const failures = t.mock.method(console, 'error', () => {})
  let expected: Exchange[] = []
  let nowMs = Date.UTC(2026, 4, 3, 6, 15)

  const answer: Fetch = async (url, { method, headers, body }) => {
    const exchange = expected.shift()
    const path = url.slice('https://tracks.example.org'.length)
    const sent = { method, path, ...(body !== undefined && { body: JSON.parse(body as string) }) }
    assert.ok(exchange !== undefined, `an unexpected request: ${JSON.stringify(sent)}`)
    const { headers: given = {}, ...request } = exchange.request
    assert.deepEqual(sent, request)
    for (const [header, value] of Object.entries(given)) assert.equal(headers[header], value)
    assert.equal(headers.Prefer, given.Prefer)
    if (path === '/tracks') checkKey(keys, body as string, headers['Idempotency-Key'])
    for (const step of exchange.during ?? []) await call(queue, step)
    if (exchange.answer === 'none') throw new TypeError('Network request failed')
    return responseOf(exchange.answer)
  }
  const open = () =>
    openTrackQueue({
      baseUrl: 'https://tracks.example.org/',
      token: 'trk_first',
      storage,
      fetch: answer,
      compress: false,
      ...(checks_points ? {} : { checkPoint: () => [] }),
      now: () => nowMs,
      steady: () => nowMs,
    })

  let queue = open()
  for (const step of steps) {
    if ('call' in step) await call(queue, step)
    else if ('pass_ms' in step) nowMs += step.pass_ms
    else if ('restart' in step) queue = open()
    else {
      expected = [...step.flush]
      checkState(await queue.flush(), step.state)
      assert.deepEqual(expected, [], 'requests that were not sent')
    }
  }
  assert.deepEqual(await tracksOf(queue), tracks)
  assert.deepEqual(await setAsideOf(queue), set_aside)
  await assertNoOrphans(storage)
  const isListening = steps.some((step) => 'call' in step && step.call === 'listen_and_fail')
  assert.equal(failures.mock.callCount() > 0, isListening, 'failures of listeners that were reported')
}

/** Nothing stays in storage of a track that the queue does not have. */
async function assertNoOrphans(storage: QueueStorage): Promise<void> {
  const tracks = (await storage.read('t', 'u', 1000)).map(([key]) => key.slice(1))
  for (const [key] of await storage.read('e', 'f', 1000)) assert.ok(tracks.includes(key.slice(1, 13)), key)
}

async function call(queue: TrackQueue, step: Call): Promise<void> {
  const { device_track_id: id } = step
  switch (step.call) {
    case 'create_track':
      assert.equal(await queue.createTrack(step.fields, id), id)
      return
    case 'add_points': {
      const { queued, rejected } = await queue.addPoints(id, step.points)
      const found = rejected.map(({ index, errors }) => ({ index, paths: errors.map(({ path }) => path) }))
      assert.deepEqual(found, step.rejected ?? [])
      assert.equal(queued, step.points.length - found.length)
      return
    }
    case 'update_track':
      return await queue.updateTrack(id, step.changes)
    case 'finish_track':
      return await queue.finishTrack(id)
    case 'retry_track':
      return await queue.retryTrack(id)
    case 'discard_track':
      return await queue.discardTrack(id)
    case 'set_token':
      return await queue.setToken(step.token)
    case 'stop':
      return queue.stop()
    case 'listen_and_fail':
      queue.onState(() => {
        throw new Error('a listener that fails at once')
      })
      queue.onState(async () => {
        throw new Error('a listener that fails later')
      })
      return
    default:
      assert.fail(`there is no call ${step.call}`)
  }
}

/** The same creation has the same key each time. */
function checkKey(keys: Map<string, string>, body: string, key: string): void {
  assert.match(key, /^[0-9a-f-]{36}$/)
  assert.equal(keys.get(body) ?? key, key)
  keys.set(body, key)
}

function responseOf({ status, is_foreign = false, headers = {}, body = '' }: Answer) {
  const own = is_foreign ? {} : { 'Trackpress-Api': '1' }
  const named = new Map(Object.entries({ ...own, ...headers }).map(([name, value]) => [name.toLowerCase(), value]))
  const get = (name: string) => named.get(name.toLowerCase()) ?? null
  return { status, headers: { get }, text: async () => (typeof body === 'string' ? body : JSON.stringify(body)) }
}

function checkState(found: TrackQueue['state'], { state, wait_ms, is_asked = false }: State): void {
  assert.equal(found.state, state)
  if (wait_ms === undefined || found.state !== 'waiting') return
  assert.ok(found.waitMs >= wait_ms.min && found.waitMs <= wait_ms.max, `waits ${found.waitMs} ms`)
  assert.equal(found.isAsked, is_asked)
}

async function tracksOf(queue: TrackQueue) {
  return (await queue.tracks()).map(({ deviceTrackId, id, unsentPoints, unsentRequests, held }) => ({
    device_track_id: deviceTrackId,
    unsent_points: unsentPoints,
    unsent_requests: unsentRequests,
    ...(id !== undefined && { id }),
    ...(held !== undefined && { held: held.reason }),
  }))
}

async function setAsideOf(queue: TrackQueue) {
  return (await queue.setAside()).map(({ deviceTrackId, points, update }) => ({
    device_track_id: deviceTrackId,
    ...(points !== undefined && { points }),
    ...(update !== undefined && { update }),
  }))
}
