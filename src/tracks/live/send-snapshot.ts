import type { Kysely } from 'kysely'
import type { RefreshStatistics } from '../computing/refresh-statistics.ts'
import type { TracksTables } from '../storage/tables.ts'
import { type ChangeQuery, findChanged, lastChange } from '../storage/track-changes.ts'
import { deletionMessages, type SentTrack, trackMessages } from './track-messages.ts'
import { broadcast, rowsOf, type Viewer } from './viewer.ts'

/**
 * Time that a poll reaches back before the latest change it has seen. A change gets its time from the clock of its
 * instance before it becomes visible, so it may become visible after a later one.
 */
export const OVERLAP_MS = 5000
/** A snapshot leaves out stopped tracks that have not changed for this long. */
const ACTIVE_MS = 3_600_000

/** The snapshot that a viewer got: the tracks in it, with every change up to `clockMs`. */
export type Snapshot = { viewer: Viewer; clockMs: number; sent: Map<string, SentTrack> }

type Options = {
  db: Kysely<TracksTables>
  eventId: string
  now: () => number
  refreshStatistics: RefreshStatistics
}

/** Runs one piece of work at a time. */
export type InTurn = <Result>(work: () => Promise<Result>) => Promise<Result>

/**
 * Sends a viewer the current state, or what changed while it was away, as fast as it reads. A large event is more than
 * a stream may buffer, and no viewer waits for a slow one. Only reading from the database is done in turn.
 */
export async function sendSnapshot(
  { db, eventId, now, refreshStatistics }: Options,
  viewer: Viewer,
  inTurn: InTurn,
): Promise<Snapshot> {
  const clockMs = await lastChange(db, eventId)
  const changed = await inTurn(() => findChanged(db, eventId, snapshotQuery(viewer, now())))
  const sent = new Map<string, SentTrack>()
  const batches = trackMessages(db, changed, sent)
  while (!viewer.stream.closed.aborted) {
    const { value: messages, done } = await inTurn(() => batches.next())
    if (done === true) break
    broadcast([viewer], messages, undefined)
    refreshStatistics(rowsOf(messages))
    await viewer.stream.drained()
  }
  return { viewer, clockMs, sent }
}

/** Sends a viewer what changed while its snapshot was sent. After that it can get the same messages as the others. */
export async function catchUp({ db, eventId }: Options, { viewer, clockMs, sent }: Snapshot): Promise<void> {
  const { trackId, sinceMs, stream } = viewer
  const found = await findChanged(db, eventId, { trackId, sinceMs: clockMs - OVERLAP_MS })
  const changed = found.filter(({ id, updated_at }) => sent.get(id)?.updatedAt !== updated_at)
  for await (const messages of trackMessages(db, changed, sent)) broadcast([viewer], messages, undefined)
  broadcast([viewer], await deletionMessages(db, eventId, (sinceMs ?? clockMs) - OVERLAP_MS), undefined)
  stream.send({ event: 'ready', id: String(Math.max(clockMs, sinceMs ?? 0)), data: {} })
}

/** Selects what changed while the viewer was away, or for a new viewer the active tracks. */
function snapshotQuery({ sinceMs, trackId }: Viewer, nowMs: number): ChangeQuery {
  if (sinceMs !== undefined) return { trackId, sinceMs: sinceMs - OVERLAP_MS }
  return trackId === undefined ? { activeSinceMs: nowMs - ACTIVE_MS } : { trackId }
}
