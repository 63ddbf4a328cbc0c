import type { ErasureSubject } from '../../erasure/erasures.ts'
import { eventNotFound } from '../../errors.ts'
import type { ErasureRequest } from '../../schemas/erasures.ts'
import type { EventsStore } from '../../storage/events-store.ts'

/** Returns the person and the event of a request. @throws eventNotFound */
export async function requireSubject(
  events: Pick<EventsStore, 'find'>,
  { user_id, event_id = null }: ErasureRequest,
): Promise<ErasureSubject> {
  if (event_id !== null && (await events.find(event_id)) === undefined) throw eventNotFound()
  return { userId: user_id, eventId: event_id }
}
