import { queryOptions } from '@tanstack/react-query'
import type {
  CheckedParticipants,
  ParticipantTokens,
  ParticipantTokensCreated,
} from '../../../src/tracks/schemas/tokens.ts'
import { apiPaths, withQuery } from './api-paths.ts'
import { queryKeys } from './query-keys.ts'
import { request } from './request.ts'

/** The end of new tokens: after a while, never, or without either as the server sets it. */
export type TokenLifetime = { keep_sec?: number; never_expires?: boolean }

/** Someone in a list as it was read. */
export type CheckedParticipant = CheckedParticipants['participants'][number]

/** The tokens of participants in plain text. They leave the cache with the last component that shows them. */
export function participantTokensQuery(eventId: string) {
  return queryOptions({
    queryKey: queryKeys.participantTokens(eventId),
    gcTime: 0,
    staleTime: Number.POSITIVE_INFINITY,
    queryFn: async ({ signal }) =>
      (await request<ParticipantTokens>('GET', apiPaths.participantTokens(eventId), { signal })).tokens,
  })
}

/** Reads a list without storing anything. @throws ApiError that names each wrong line */
export async function checkParticipants(eventId: string, csv: string): Promise<CheckedParticipant[]> {
  const path = withQuery(apiPaths.participantTokens(eventId), { check: 'true' })
  return (await request<CheckedParticipants>('POST', path, { file: { type: 'text/csv', content: csv } })).participants
}

/** Creates a token for everyone in a list who has none. */
export function createParticipantTokens(
  eventId: string,
  csv: string,
  { keep_sec: keepSec, never_expires: neverExpires }: TokenLifetime,
): Promise<ParticipantTokensCreated> {
  const query = {
    ...(keepSec !== undefined && { keep_sec: String(keepSec) }),
    ...(neverExpires !== undefined && { never_expires: String(neverExpires) }),
  }
  const path = withQuery(apiPaths.participantTokens(eventId), query)
  return request('POST', path, { file: { type: 'text/csv', content: csv } })
}
