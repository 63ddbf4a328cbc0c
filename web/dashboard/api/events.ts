import { queryOptions } from '@tanstack/react-query'
import type {
  CreatedEvent,
  EventChange,
  NewEvent,
  OperatorEvent,
  OperatorEventList,
} from '../../../src/tracks/schemas/events.ts'
import type {
  AppToken,
  AppTokenList,
  NewAppToken,
  ShownAppToken,
  TokenRotation,
} from '../../../src/tracks/schemas/tokens.ts'
import { request } from './request.ts'

export type { AppToken, CreatedEvent, EventChange, NewEvent, OperatorEvent, ShownAppToken, TokenRotation }

export const EVENTS_KEY = ['events'] as const

/** Every event. */
export const eventsQuery = queryOptions({
  queryKey: EVENTS_KEY,
  queryFn: async ({ signal }) => (await request<OperatorEventList>('GET', '/operator/events', { signal })).events,
})

/** One event. */
export function eventQuery(id: string) {
  return queryOptions({
    queryKey: ['event', id],
    queryFn: ({ signal }) => request<OperatorEvent>('GET', eventAddress(id), { signal }),
  })
}

/** An event's app tokens, without their secret part. */
export function tokensQuery(eventId: string) {
  return queryOptions({
    queryKey: ['event', eventId, 'tokens'],
    queryFn: async ({ signal }) => {
      return (await request<AppTokenList>('GET', `${eventAddress(eventId)}/tokens`, { signal })).tokens
    },
  })
}

/** One app token in plain text. */
export function shownTokenQuery(eventId: string, tokenId: string) {
  return queryOptions({
    queryKey: ['event', eventId, 'tokens', tokenId],
    gcTime: 0,
    queryFn: ({ signal }) => request<ShownAppToken>('GET', tokenAddress(eventId, tokenId), { signal }),
  })
}

/** Makes an event; its first token comes with it. */
export function createEvent(event: NewEvent): Promise<CreatedEvent> {
  return request('POST', '/operator/events', { body: event })
}

/** Changes what is given of an event. */
export function changeEvent(id: string, change: EventChange): Promise<OperatorEvent> {
  return request('PATCH', eventAddress(id), { body: change })
}

/** Deletes an event with its tracks, tokens and shares. */
export function deleteEvent(id: string): Promise<void> {
  return request('DELETE', eventAddress(id))
}

/** Makes a further token beside those there are. */
export function createToken(eventId: string, token: NewAppToken): Promise<ShownAppToken> {
  return request('POST', `${eventAddress(eventId)}/tokens`, { body: token })
}

/** Makes a token that takes the place of all others after a while. */
export function rotateTokens(eventId: string, rotation: TokenRotation): Promise<ShownAppToken> {
  return request('POST', `${eventAddress(eventId)}/tokens/rotate`, { body: rotation })
}

/** Ends a token at once. */
export function revokeToken(eventId: string, tokenId: string): Promise<void> {
  return request('DELETE', tokenAddress(eventId, tokenId))
}

function eventAddress(id: string): string {
  return `/operator/events/${encodeURIComponent(id)}`
}

function tokenAddress(eventId: string, tokenId: string): string {
  return `${eventAddress(eventId)}/tokens/${encodeURIComponent(tokenId)}`
}
