import type { RequestKind } from './answers.ts'
import type { QueueRequest } from './exchange.ts'
import { type Entry, entryChange, type Kept, type StoredQueue, type StoredTrack } from './stored-queue.ts'
import type { StoredPoint } from './wire.ts'

/** A point of a batch: the entry that holds it, and its place there. */
type BatchedPoint = { entry: Kept<{ points: StoredPoint[] }>; point: StoredPoint }

/** One entry of a track to send next, or as many points as one request takes. */
export type Work = {
  track: Kept<StoredTrack>
  kind: RequestKind
  request: QueueRequest
  /** The entry that is sent; that of the first point of a batch. */
  entry: Kept<Entry>
  /** Points in the order of the request, none of them twice; empty for other requests. */
  points: BatchedPoint[]
  /** Entries with points in the batch, or with copies of those. */
  entries: Kept<{ points: StoredPoint[] }>[]
}

export type WorkOptions = {
  /** Most points in one request. */
  limit: number
  /** Asks the server to leave out points that break a rule. */
  isLenient: boolean
}

/** Finds what to send next. Tracks take turns in the order of their creation; held ones are passed over. */
export async function nextWork(queue: StoredQueue, options: WorkOptions): Promise<Work | undefined> {
  for (let from = 0; ; from++) {
    const number = await queue.trackWithEntries(from)
    if (number === undefined) return undefined
    const value = await queue.track(number)
    if (value !== undefined && value.held === undefined) {
      const work = await workOf(queue, { number, value }, options)
      if (work !== undefined) return work
    }
    from = number
  }
}

async function workOf(queue: StoredQueue, track: Kept<StoredTrack>, options: WorkOptions): Promise<Work | undefined> {
  const entries: Work['entries'] = []
  const others: Kept<Entry>[] = []
  let count = 0
  await queue.eachEntry(track.number, ({ number, value }) => {
    if ('points' in value) {
      entries.push({ number, value })
      count += value.points.length
    } else {
      others.push({ number, value })
    }
    return others.length > 0 || count >= options.limit
  })
  if (entries.length > 0) return batch(track, entries, options)
  return others.length > 0 ? single(track, others[0]) : undefined
}

function single(track: Kept<StoredTrack>, entry: Kept<Entry>): Work {
  const { value } = entry
  const rest = { track, entry, points: [], entries: [] }
  if ('create' in value) {
    const headers = { 'Idempotency-Key': value.idempotencyKey }
    return { ...rest, kind: 'create', request: { method: 'POST', path: '/tracks', headers, body: value.create } }
  }
  const path = `/tracks/${track.value.id}`
  if ('update' in value) return { ...rest, kind: 'update', request: { method: 'PATCH', path, body: value.update } }
  return { ...rest, kind: 'finish', request: { method: 'POST', path: `${path}/finish` } }
}

function batch(track: Kept<StoredTrack>, entries: Work['entries'], { limit, isLenient }: WorkOptions): Work {
  const points = new Map<string, BatchedPoint>()
  for (const entry of entries) {
    for (const point of entry.value.points) {
      const text = JSON.stringify(point)
      // The server keeps copies within one request, and drops those of other
      // requests. A point is one, however it is sent.
      if (points.size < limit && !points.has(text)) points.set(text, { entry, point })
    }
  }
  const headers = isLenient ? { Prefer: 'handling=lenient, return=representation' } : undefined
  const body = `{"points":[${[...points.keys()].join()}]}`
  const request: QueueRequest = { method: 'POST', path: `/tracks/${track.value.id}/points`, headers, body }
  return { track, kind: 'points', request, entry: entries[0], points: [...points.values()], entries }
}

/** Returns the changes that remove points, and all their copies, from the entries of a batch. */
export function removePoints({ track, entries }: Work, removed: readonly BatchedPoint[]) {
  const texts = new Set(removed.map(({ point }) => JSON.stringify(point)))
  return entries.flatMap((entry) => {
    const left = entry.value.points.filter((point) => !texts.has(JSON.stringify(point)))
    if (left.length === entry.value.points.length) return []
    return [entryChange(track.number, entry.number, left.length > 0 ? { points: left } : null)]
  })
}
