import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query'
import { ApiError, hasStatus } from './api-error.ts'
import { SESSION_KEY } from './session.ts'

const TRIES = 2

/** What the server said last, for all pages. A 401 to any request means that the session is over. */
export function createQueryClient(): QueryClient {
  const client = new QueryClient({
    queryCache: new QueryCache({ onError: (error) => noteSignedOut(client, error) }),
    mutationCache: new MutationCache({ onError: (error) => noteSignedOut(client, error) }),
    defaultOptions: {
      queries: { staleTime: 10_000, retry: (failures, error) => failures < TRIES && mayPass(error) },
      // A form says itself that nothing answered; being held back while offline would look like a dead button.
      mutations: { networkMode: 'always' },
    },
  })
  return client
}

function noteSignedOut(client: QueryClient, error: unknown): void {
  if (hasStatus(error, 401)) client.setQueryData(SESSION_KEY, null)
}

/** Whether the same request may succeed a moment later. */
function mayPass(error: unknown): boolean {
  return !(error instanceof ApiError) || error.status === 0 || error.status >= 500
}
