import { queryOptions } from '@tanstack/react-query'
import type {
  CreatedEvent,
  EventCreate,
  EventUpdate,
  OperatorEvent,
  OperatorEventList,
} from '../../../src/tracks/schemas/events.ts'
import type {
  AppToken,
  AppTokenCreate,
  AppTokenList,
  AppTokenRotate,
  ShownAppToken,
} from '../../../src/tracks/schemas/tokens.ts'
import { apiPaths } from './api-paths.ts'
import { queryKeys } from './query-keys.ts'
import { request } from './request.ts'

export type { AppToken, AppTokenRotate, CreatedEvent, EventCreate, EventUpdate, OperatorEvent, ShownAppToken }

/** All events. */
export const eventsQuery = queryOptions({
  queryKey: queryKeys.events,
  queryFn: async ({ signal }) => (await request<OperatorEventList>('GET', apiPaths.events, { signal })).events,
})

/** One event. */
export function eventQuery(id: string) {
  return queryOptions({
    queryKey: queryKeys.event(id),
    queryFn: ({ signal }) => request<OperatorEvent>('GET', apiPaths.event(id), { signal }),
  })
}

/** An event's app tokens, masked. */
export function tokensQuery(eventId: string) {
  return queryOptions({
    queryKey: queryKeys.tokens(eventId),
    queryFn: async ({ signal }) => (await request<AppTokenList>('GET', apiPaths.tokens(eventId), { signal })).tokens,
  })
}

/** One app token in plain text. It leaves the cache with the last component that shows it. */
export function shownTokenQuery(eventId: string, tokenId: string) {
  return queryOptions({
    queryKey: queryKeys.token(eventId, tokenId),
    gcTime: 0,
    staleTime: Number.POSITIVE_INFINITY,
    queryFn: ({ signal }) => request<ShownAppToken>('GET', apiPaths.token(eventId, tokenId), { signal }),
  })
}

/** Creates an event. The response holds its first token. */
export function createEvent(event: EventCreate): Promise<CreatedEvent> {
  return request('POST', apiPaths.events, { body: event })
}

/** Changes the given fields of an event. */
export function changeEvent(id: string, change: EventUpdate): Promise<OperatorEvent> {
  return request('PATCH', apiPaths.event(id), { body: change })
}

/** Deletes an event with its tracks, tokens and shares. */
export function deleteEvent(id: string): Promise<void> {
  return request('DELETE', apiPaths.event(id))
}

/** Adds a token to those that the event has. */
export function createToken(eventId: string, token: AppTokenCreate): Promise<ShownAppToken> {
  return request('POST', apiPaths.tokens(eventId), { body: token })
}

/** Creates a token that replaces all others after an overlap. */
export function rotateTokens(eventId: string, rotation: AppTokenRotate): Promise<ShownAppToken> {
  return request('POST', apiPaths.rotateTokens(eventId), { body: rotation })
}

/** Revokes a token at once. */
export function revokeToken(eventId: string, tokenId: string): Promise<void> {
  return request('DELETE', apiPaths.token(eventId, tokenId))
}
