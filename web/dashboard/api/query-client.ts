import { MutationCache, QueryCache, QueryClient, type QueryFilters } from '@tanstack/react-query'
import type * as Requests from '../generated/sdk.gen.ts'
import { hasCode, hasStatus, isAskedAgain } from './api-error.ts'
import { sessionQuery } from './session.ts'

/**
 * Creates the cache of server data that all pages share. A 401 to any request means that the session has ended, and a
 * role that is not enough, or a second factor that is missing, that it has changed.
 */
export function createQueryClient(): QueryClient {
  const client = new QueryClient({
    queryCache: new QueryCache({ onError: (error) => noteSession(client, error) }),
    mutationCache: new MutationCache({ onError: (error) => noteSession(client, error) }),
    defaultOptions: {
      queries: {
        staleTime: 10_000,
        retry: isAskedAgain,
        // The route has asked already when its page is mounted.
        retryOnMount: ({ state }) => !hasCode(state.error, 'TRACK_DAMAGED'),
      },
      // A form reports a failed request itself. A request held back while offline would look like a dead button.
      mutations: { networkMode: 'always' },
    },
  })
  return client
}

function noteSession(client: QueryClient, error: unknown): void {
  if (hasStatus(error, 401)) client.setQueryData(sessionQuery.queryKey, null)
  if (hasCode(error, 'INSUFFICIENT_ROLE') || hasCode(error, 'SECOND_FACTOR_REQUIRED'))
    void client.invalidateQueries({ queryKey: sessionQuery.queryKey })
}

/** Key of every answer about a resource, whose queries name it in their path. */
export function aboutKey(id: string) {
  return [{ path: { id } }]
}

/** A change of the course changes everything about a race. */
export const raceAnswers = (eventId: string) =>
  answersOf(
    [
      'operatorGetRace',
      'operatorGetCourse',
      'operatorListCheckpoints',
      'operatorListRunners',
      'operatorListParticipants',
      'operatorGetRanking',
      'operatorListDecisions',
      'operatorListTimes',
    ],
    eventId,
  )

/** App tokens of an event, or further API keys of a workspace. */
export const credentialAnswers = (ownerId: string) =>
  answersOf(
    [
      'operatorListTokens',
      'operatorGetToken',
      'operatorListParticipantTokens',
      'operatorListKeys',
      'operatorGetApiKey',
    ],
    ownerId,
  )

/** Second factors of the signed-in operator, and the ways to confirm, which change with them. */
export const factorAnswers = () => answersOf(['listSecondFactors', 'listPasskeys', 'getConfirmationMethods'])

/** Filters cached answers by their operations, and by a resource in their path. */
function answersOf(operations: readonly (keyof typeof Requests)[], id?: string): QueryFilters {
  return {
    predicate: ({ queryKey }) => {
      const { _id, path } = queryKey[0] as { _id?: keyof typeof Requests; path?: { id?: string } }
      return _id !== undefined && operations.includes(_id) && (id === undefined || path?.id === id)
    },
  }
}
