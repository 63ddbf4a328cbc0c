import type { Kysely } from 'kysely'
import type { EventStream } from '#platform/http/event-stream.ts'
import type { Pass, PassEnd } from '../api/doors.ts'
import type { TracksTables } from '../model/tables.ts'
import { eventExists } from '../points/storage/track-changes.ts'
import type { LiveEnded } from './schemas.ts'

/** A stream and the pass that gives access to it; without one, access lasts as long as the event. */
export type Admitted = { stream: EventStream; pass?: Pick<Pass, 'key' | 'endedBy'> | undefined }

/** Interval at which the access of viewers is checked: another instance may have ended the event or a share. */
export const CHECK_INTERVAL_MS = 5000

/** Ends the streams of viewers that lost access. Viewers with the same pass are asked for once. */
export async function endRefused(
  db: Kysely<TracksTables>,
  eventId: string,
  viewers: readonly Admitted[],
): Promise<void> {
  const hasEvent = await eventExists(db, eventId)
  const asked = new Map<string, Promise<PassEnd | undefined>>()
  for (const { stream, pass } of viewers) {
    if (pass !== undefined && !asked.has(pass.key)) asked.set(pass.key, pass.endedBy())
    const reason = hasEvent ? await asked.get(pass?.key ?? '') : 'deleted'
    if (reason === undefined || stream.closed.aborted) continue
    if (reason !== 'changed') stream.send({ event: 'ended', data: { reason } satisfies LiveEnded })
    stream.end()
  }
}
