import type { CreatedEvent } from '../../src/tracks/api/event-schemas.ts'
import type { StartedTracks } from './start-service.ts'
import { trackRequests } from './track-requests.ts'

/** Creates an event as its operator, with a `phone` that sends requests with the event's app token. */
export async function createEvent({ answer, request }: Pick<StartedTracks, 'answer' | 'request'>, fields: object) {
  const event = await answer<CreatedEvent>(201, 'POST', '/operator/events', fields)
  const headers = { 'X-API-Key': event.token.token! }
  return { ...event, headers, phone: trackRequests((method, path, json) => request(method, path, json, headers)) }
}
