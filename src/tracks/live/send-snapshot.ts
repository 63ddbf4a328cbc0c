import type { Kysely } from 'kysely'
import type { RefreshStatistics } from '../computing/refresh-statistics.ts'
import type { TracksTables } from '../storage/tables.ts'
import { type ChangeQuery, findChanged, lastChange } from '../storage/track-changes.ts'
import { deletionMessages, type ToldTrack, trackMessages } from './track-messages.ts'
import { rowsOf, tell, type Viewer } from './viewer.ts'

/**
 * How far a look reaches back behind the latest change that was seen. A change gets its time before it can be seen, on
 * any instance by its own clock; so one may become visible after a later one was seen.
 */
export const OVERLAP_MS = 5000
/** A stopped track that has not changed for so long is not told to someone who comes anew. */
const ACTIVE_MS = 3_600_000

/** Somebody who has been told what is, and what that was: everything that changed up to a time. */
export type Greeted = { viewer: Viewer; clockMs: number; told: Map<string, ToldTrack> }

type Options = {
  db: Kysely<TracksTables>
  eventId: string
  now: () => number
  refreshStatistics: RefreshStatistics
}

/** Does one thing after the other, whoever asks for it. */
export type InTurn = <Result>(work: () => Promise<Result>) => Promise<Result>

/**
 * Tells a viewer what is, or what changed since it was away, as fast as it reads: a large event is more than may wait
 * for anyone, and nobody waits for whoever reads slowly. Only the reading from the database is done in turn.
 */
export async function greetViewer(
  { db, eventId, now, refreshStatistics }: Options,
  viewer: Viewer,
  inTurn: InTurn,
): Promise<Greeted> {
  const clockMs = await lastChange(db, eventId)
  const changed = await inTurn(() => findChanged(db, eventId, whatIsNew(viewer, now())))
  const told = new Map<string, ToldTrack>()
  const batches = trackMessages(db, changed, told)
  while (!viewer.stream.closed.aborted) {
    const { value: messages, done } = await inTurn(() => batches.next())
    if (done === true) break
    tell([viewer], messages, undefined)
    refreshStatistics(rowsOf(messages))
    await viewer.stream.drained()
  }
  return { viewer, clockMs, told }
}

/** Tells a viewer what has happened while it was told what is; after that it may be among the others. */
export async function catchUp({ db, eventId }: Options, { viewer, clockMs, told }: Greeted): Promise<void> {
  const { trackId, sinceMs, stream } = viewer
  const seen = await findChanged(db, eventId, { trackId, sinceMs: clockMs - OVERLAP_MS })
  const changed = seen.filter(({ id, updated_at }) => told.get(id)?.updatedAt !== updated_at)
  for await (const messages of trackMessages(db, changed, told)) tell([viewer], messages, undefined)
  tell([viewer], await deletionMessages(db, eventId, (sinceMs ?? clockMs) - OVERLAP_MS), undefined)
  stream.send({ event: 'ready', id: String(Math.max(clockMs, sinceMs ?? 0)), data: {} })
}

/** What a viewer has to be told first: what changed while it was away, or else what goes on. */
function whatIsNew({ sinceMs, trackId }: Viewer, nowMs: number): ChangeQuery {
  if (sinceMs !== undefined) return { trackId, sinceMs: sinceMs - OVERLAP_MS }
  return trackId === undefined ? { activeSinceMs: nowMs - ACTIVE_MS } : { trackId }
}
