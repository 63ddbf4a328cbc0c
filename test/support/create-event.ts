import type { CreatedEvent } from '../../src/tracks/api/event-schemas.ts'
import type { StartedTracks } from './start-service.ts'
import { trackRequests } from './track-requests.ts'

/** Creates an event as its operator, with a `phone` that sends requests with the event's app token. */
export async function createEvent({ answer, request }: Pick<StartedTracks, 'answer' | 'request'>, fields: object) {
  const event = await answer<CreatedEvent>(201, 'POST', '/operator/events', fields)
  const headers = { 'X-API-Key': event.token.token! }
  return { ...event, headers, phone: trackRequests((method, path, json) => request(method, path, json, headers)) }
}

/** Makes a link for spectators of a service's first event. @returns its id, and the token in its address */
export async function shareEvent({ answer, eventId }: Pick<StartedTracks, 'answer' | 'eventId'>) {
  const { id, url } = await answer<{ id: string; url: string }>(201, 'POST', `/operator/events/${eventId}/shares`, {})
  return { id, token: url.split('/').at(-1)! }
}
