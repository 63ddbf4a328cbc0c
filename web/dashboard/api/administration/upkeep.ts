import { queryOptions } from '@tanstack/react-query'
import type { Upkeep } from '../../../../src/operator/upkeep/upkeep-schemas.ts'
import { apiPaths } from '../api-paths.ts'
import { queryKeys } from '../query-keys.ts'
import { request } from '../request.ts'

/** Upkeep runs each hour, so a page that stays open asks now and then. */
const ASK_EVERY_MS = 600_000

/** The deletions by age that wait for a word about the clock. For owners only. */
export const upkeepQuery = queryOptions({
  queryKey: queryKeys.upkeep,
  staleTime: ASK_EVERY_MS,
  refetchInterval: ASK_EVERY_MS,
  queryFn: ({ signal }) => request<Upkeep>('GET', apiPaths.upkeep, { signal }),
})

/** Says that the clock of the server is right. */
export function confirmClock(): Promise<void> {
  return request('POST', apiPaths.confirmClock)
}
