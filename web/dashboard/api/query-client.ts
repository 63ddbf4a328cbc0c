import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query'
import { ApiError, hasCode, hasStatus } from './api-error.ts'
import { queryKeys } from './query-keys.ts'

const MAX_RETRIES = 2

/**
 * Creates the cache of server data that all pages share. A 401 to any request means that the session has ended, and a
 * role that is not enough, or a second factor that is missing, that it has changed.
 */
export function createQueryClient(): QueryClient {
  const client = new QueryClient({
    queryCache: new QueryCache({ onError: (error) => noteSession(client, error) }),
    mutationCache: new MutationCache({ onError: (error) => noteSession(client, error) }),
    defaultOptions: {
      queries: { staleTime: 10_000, retry: (failures, error) => failures < MAX_RETRIES && isTransient(error) },
      // A form reports a failed request itself. A request held back while offline would look like a dead button.
      mutations: { networkMode: 'always' },
    },
  })
  return client
}

function noteSession(client: QueryClient, error: unknown): void {
  if (hasStatus(error, 401)) client.setQueryData(queryKeys.session, null)
  if (hasCode(error, 'INSUFFICIENT_ROLE') || hasCode(error, 'SECOND_FACTOR_REQUIRED'))
    void client.invalidateQueries({ queryKey: queryKeys.session })
}

/** Checks whether the same request may succeed a moment later. Damaged points stay damaged. */
function isTransient(error: unknown): boolean {
  if (hasCode(error, 'TRACK_DAMAGED')) return false
  return !(error instanceof ApiError) || error.status === 0 || error.status >= 500
}
