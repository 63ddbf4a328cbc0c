import type { Kysely } from 'kysely'
import type { EncodedEvents } from '#platform/http/streams/encode-events.ts'
import { encodeEvents } from '#platform/http/streams/encode-events.ts'
import type { MainThreadShare } from '#platform/live/main-thread-share.ts'
import type { RefreshStatistics } from '../computing/refresh-statistics.ts'
import type { TracksTables } from '../storage/tables.ts'
import { type ChangeQuery, findChanged, lastChange } from '../storage/track-changes.ts'
import { deletionMessages, type SentTrack, trackMessages } from './track-messages.ts'
import { asOf, broadcast, type Deliver, encodeMessages, rowsOf, type View, type Viewer } from './viewer.ts'

/**
 * Time that a poll reaches back before the latest change it has seen. A change gets its time from the clock of its
 * instance before it becomes visible, so it may become visible after a later one.
 */
export const OVERLAP_MS = 5000
/** A snapshot leaves out stopped tracks that have not changed for this long. */
const ACTIVE_MS = 3_600_000
/** Viewers that come within this time share a snapshot, and catch up from there. */
const SHARED_MS = 5000
/** Viewers that return share a snapshot if they left within this time. */
const SINCE_STEP_MS = 10_000

/** The active tracks of an event as a viewer sees them, or those that changed since a time, up to `clockMs`. */
export type Snapshot = {
  sinceMs: number | undefined
  clockMs: number
  sent: ReadonlyMap<string, SentTrack>
  parts: readonly EncodedEvents[]
}

type Options = {
  db: Kysely<TracksTables>
  eventId: string
  now: () => number
  refreshStatistics: RefreshStatistics
  share: MainThreadShare
}

type Recent = View & { sinceMs: number | undefined; madeAtMs: number; snapshot: Promise<Snapshot> }

/** Makes the snapshots of an event, one at a time, and each once for all viewers with the same view who come together. */
export class Snapshots {
  readonly #options: Options
  #recent: Recent[] = []
  #turn: Promise<unknown> = Promise.resolve()

  constructor(options: Options) {
    this.#options = options
  }

  /** Returns the snapshot for a viewer: the current state, or what changed while it was away. */
  async get({ show, trackId, sinceMs: leftAtMs }: Viewer): Promise<Snapshot> {
    const sinceMs = leftAtMs === undefined ? undefined : Math.floor(leftAtMs / SINCE_STEP_MS) * SINCE_STEP_MS
    const nowMs = performance.now()
    this.#recent = this.#recent.filter(({ madeAtMs }) => nowMs - madeAtMs < SHARED_MS)
    const known = this.#recent.find(
      (recent) => recent.show === show && recent.trackId === trackId && recent.sinceMs === sinceMs,
    )
    if (known !== undefined) return await known.snapshot
    const snapshot = this.#turn.then(() => this.#make({ show, trackId }, sinceMs))
    this.#turn = snapshot.catch(() => {
      this.#recent = this.#recent.filter((recent) => recent !== made)
    })
    const made = { show, trackId, sinceMs, madeAtMs: nowMs, snapshot }
    this.#recent.push(made)
    return await snapshot
  }

  async #make(view: View, sinceMs: number | undefined): Promise<Snapshot> {
    const { db, eventId, now, refreshStatistics, share } = this.#options
    const clockMs = await lastChange(db, eventId)
    const changed = await findChanged(db, eventId, snapshotQuery(view.trackId, sinceMs, now()))
    const sent = new Map<string, SentTrack>()
    const parts: EncodedEvents[] = []
    let startMs = performance.now()
    for await (const messages of trackMessages(db, changed, sent)) {
      const encoded = encodeMessages(view, messages, undefined)
      if (encoded !== undefined) parts.push(encoded)
      refreshStatistics(rowsOf(messages))
      await share.spend(performance.now() - startMs)
      startMs = performance.now()
    }
    return { sinceMs, clockMs, sent, parts }
  }
}

/**
 * Sends viewers what changed since their snapshot was made. After that they can get the same messages as the others.
 * @returns what they were sent
 */
export async function catchUp(
  { db, eventId, now }: Options,
  { clockMs, sinceMs, sent: before }: Snapshot,
  viewers: readonly Viewer[],
  deliver: Deliver,
): Promise<Map<string, SentTrack>> {
  const asOfMs = now()
  const sent = new Map(before)
  const found = await findChanged(db, eventId, { trackId: viewers[0].trackId, sinceMs: clockMs - OVERLAP_MS })
  const changed = found.filter(({ id, updated_at }) => sent.get(id)?.updatedAt !== updated_at)
  for await (const messages of trackMessages(db, changed, sent)) await broadcast(viewers, messages, undefined, deliver)
  const deletions = await deletionMessages(db, eventId, (sinceMs ?? clockMs) - OVERLAP_MS)
  await broadcast(viewers, deletions, undefined, deliver)
  for (const [id, alike] of Map.groupBy(viewers, (viewer) => Math.max(clockMs, viewer.sinceMs ?? 0))) {
    await deliver(alike, encodeEvents([{ event: 'ready', id: String(id), data: asOf(asOfMs, now()) }]))
  }
  return sent
}

/** Selects what changed while the viewer was away, or for a new viewer the active tracks. */
function snapshotQuery(trackId: string | undefined, sinceMs: number | undefined, nowMs: number): ChangeQuery {
  if (sinceMs !== undefined) return { trackId, sinceMs: sinceMs - OVERLAP_MS }
  return trackId === undefined ? { activeSinceMs: nowMs - ACTIVE_MS } : { trackId }
}
