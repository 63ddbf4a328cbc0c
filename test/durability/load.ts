import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import type { RandomChoices } from '../support/random-choices.ts'
import type { Answer, ApiClient } from './api-client.ts'
import { knownPoints, latePoints, nextPoints, overlappingPoints, range, shuffled } from './choose-points.ts'
import {
  type Batch,
  creationOf,
  keyHeader,
  type Ledger,
  multiplicities,
  pointsOf,
  type RecordedTrack,
} from './recorded-track.ts'

/** Relative frequencies of the phones' actions. */
export type LoadMix = Record<keyof typeof ACTIONS, number>

export type LoadOptions = {
  phones?: number
  mix?: LoadMix
  /** Number of points in a usual batch. */
  batchPoints?: readonly [from: number, to: number]
  /** Number of tracks written to at the same time. Older ones stay untouched. */
  activeTracks?: number
  /**
   * Pause of a phone after its first actions, for loads that last while something starts. It grows with the requests,
   * so that a slow machine has hardly more to do.
   */
  restMs?: number
  /** Phones accept 503 and retry later. */
  acceptsUnavailable?: boolean
  /** Phones accept broken connections, too, as behind a balancer whose servers come and go. */
  acceptsBreaks?: boolean
}

/** Running phones. `ended` resolves when all have stopped, which they do when the server is gone. */
export type Load = {
  stop(): void
  ended: Promise<void>
  requests(): number
  unavailable(): number
  /** Resolves when this many requests have been sent, or when the phones have stopped. */
  untilSent(requests: number): Promise<void>
}

type Phone = {
  send: ApiClient
  random: RandomChoices
  ledger: Ledger
  batchPoints: readonly [from: number, to: number]
  options: Required<LoadOptions>
  counts: { requests: number; unavailable: number }
}

/** Runs phones together. Several write to one track, and all repeat requests. */
const MIXED: LoadMix = {
  create: 8,
  sync: 5,
  sendNext: 40,
  sendLate: 10,
  sendAgain: 10,
  sendTwiceAtOnce: 5,
  sendOverlapping: 10,
  finish: 3,
  read: 9,
}

/** Tracks written to at the same time. */
export const ACTIVE_TRACKS = 10

/** Delay before a phone retries after 503. */
const RETRY_AFTER_MS = 50

const ACTIONS = {
  create: (phone: Phone) => create(phone, '/tracks'),
  sync: (phone: Phone) => create(phone, '/sync'),
  sendNext: async (phone: Phone) => await sendTo(phone, (track) => [nextPoints(phone, track)]),
  sendLate: async (phone: Phone) => await sendTo(phone, (track) => [latePoints(phone, track)]),
  sendAgain: async (phone: Phone) => await sendTo(phone, (track) => [knownPoints(phone, track)]),
  sendOverlapping: async (phone: Phone) => await sendTo(phone, (track) => [overlappingPoints(phone, track)]),
  sendTwiceAtOnce: async (phone: Phone) =>
    await sendTo(phone, (track) => {
      const indexes = nextPoints(phone, track)
      return [indexes, indexes]
    }),
  finish,
  read,
}

export function startLoad(send: ApiClient, random: RandomChoices, ledger: Ledger, given: LoadOptions = {}): Load {
  const options = {
    phones: 8,
    mix: MIXED,
    batchPoints: [1, 60] as const,
    activeTracks: ACTIVE_TRACKS,
    restMs: 0,
    acceptsUnavailable: false,
    acceptsBreaks: false,
    ...given,
  }
  const counts = { requests: 0, unavailable: 0 }
  const deck = Object.entries(options.mix).flatMap(([name, weight]) => Array(weight).fill(name)) as (keyof LoadMix)[]
  let isStopped = false
  const phone: Phone = { send, random, ledger, batchPoints: options.batchPoints, options, counts }

  async function work(): Promise<void> {
    while (!isStopped) {
      const isThere = await ACTIONS[random.pick(deck)](phone)
      if (!isThere) return
      if (options.restMs > 0) await wait(options.restMs * (1 + counts.requests / 100))
    }
  }

  const ended = Promise.all(Array.from({ length: options.phones }, work)).then(() => {})
  let isOver = false
  // The failure is reported to the caller that awaits the end. Until then it must not count as unhandled.
  ended.finally(() => (isOver = true)).catch(() => {})
  return {
    stop: () => {
      isStopped = true
    },
    ended,
    requests: () => counts.requests,
    unavailable: () => counts.unavailable,
    async untilSent(requests) {
      while (counts.requests < requests && !isOver) await wait(5)
    },
  }
}

/** Creates a track and records the acknowledged id. Returns false if the server is gone. */
async function create({ random, ledger, ...phone }: Phone, path: '/tracks' | '/sync'): Promise<boolean> {
  const number = ledger.length
  const idempotencyKey = random.chance(0.5) ? randomUUID() : undefined
  const track: RecordedTrack = {
    number,
    path,
    deviceTrackId: `device-${number}`,
    idempotencyKey,
    id: undefined,
    batches: [],
    heldBack: [],
    next: 0,
    endTs: undefined,
  }
  if (path === '/sync') {
    track.next = random.between(0, 400)
    track.batches.push({ indexes: shuffled(random, range(0, track.next)), isAcknowledged: false })
  }
  ledger.push(track)
  const request = () => expect(phone, phone.send('POST', path, creationOf(track), keyHeader(track)), [201])
  const answers = await Promise.all(
    idempotencyKey !== undefined && random.chance(0.3) ? [request(), request()] : [request()],
  )
  for (const answer of answers) {
    if (answer === 'gone' || answer === 'unavailable') continue
    const { id, track_id = id } = answer.json as { id?: string; track_id?: string }
    assert.equal(track.id ?? track_id, track_id, 'one Idempotency-Key made two tracks')
    track.id = track_id
    for (const batch of track.batches) batch.isAcknowledged = true
  }
  return !answers.includes('gone')
}

async function sendTo(phone: Phone, choose: (track: RecordedTrack) => number[][]): Promise<boolean> {
  const track = activeTrack(phone)
  if (track === undefined) return await create(phone, '/tracks')
  const answers = await Promise.all(
    choose(track).map(async (indexes) => {
      const batch: Batch = { indexes, isAcknowledged: false }
      track.batches.push(batch)
      const points = pointsOf(track, indexes)
      const answer = await expect(phone, phone.send('POST', `/tracks/${track.id}/points`, { points }), [204])
      batch.isAcknowledged = typeof answer === 'object'
      return answer
    }),
  )
  return !answers.includes('gone')
}

async function finish(phone: Phone): Promise<boolean> {
  const track = activeTrack(phone)
  if (track === undefined) return await create(phone, '/sync')
  const answer = await expect(phone, phone.send('POST', `/tracks/${track.id}/finish`), [200])
  if (typeof answer === 'object') track.endTs = (answer.json as { end_ts: string }).end_ts
  return answer !== 'gone'
}

/** Reads a track and its points. The response must contain everything acknowledged before the request. */
async function read(phone: Phone): Promise<boolean> {
  const track = activeTrack(phone)
  if (track === undefined) return await create(phone, '/tracks')
  const atLeast = [...multiplicities(track.batches.filter((batch) => batch.isAcknowledged)).values()].reduce(
    (sum, count) => sum + count,
    0,
  )
  const answers = await Promise.all([
    expect(phone, phone.send('GET', `/tracks/${track.id}/points?limit=50000`), [200]),
    expect(phone, phone.send('GET', `/tracks/${track.id}`), [200]),
  ])
  for (const answer of answers) {
    if (typeof answer === 'string') continue
    const { count, points_count = count } = answer.json as { count?: number; points_count?: number }
    assert(points_count! >= atLeast, `${points_count} points are shown where ${atLeast} were acknowledged`)
  }
  return !answers.includes('gone')
}

async function expect(
  { options, counts }: Pick<Phone, 'options' | 'counts'>,
  request: Promise<Answer | undefined>,
  statuses: number[],
): Promise<Answer | 'gone' | 'unavailable'> {
  counts.requests++
  const answer = await request
  if (answer === undefined && !options.acceptsBreaks) return 'gone'
  if (answer === undefined || (isRetried(answer) && options.acceptsUnavailable)) {
    counts.unavailable++
    await wait(RETRY_AFTER_MS)
    return 'unavailable'
  }
  assert(statuses.includes(answer.status), `unexpected answer ${answer.status} ${JSON.stringify(answer.json)}`)
  return answer
}

/** Tells whether the server asks to send the request again, because of a fault or while the first one is running. */
function isRetried({ status, json, headers }: Answer): boolean {
  if (status === 503) assert.equal((json as { code: string }).code, 'UNAVAILABLE')
  return status === 503 || (status === 409 && headers.has('retry-after'))
}

function activeTrack({ random, ledger, options }: Phone): RecordedTrack | undefined {
  const active = ledger.slice(-options.activeTracks).filter(({ id }) => id !== undefined)
  return active.length === 0 ? undefined : random.pick(active)
}
