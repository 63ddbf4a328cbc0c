import { queryOptions } from '@tanstack/react-query'
import type { OperatorSettings } from '../../../src/operator/schemas.ts'
import { apiPaths } from './api-paths.ts'
import { queryKeys } from './query-keys.ts'
import { request } from './request.ts'

/** The settings of the installation that the dashboard depends on. */
export const settingsQuery = queryOptions({
  queryKey: queryKeys.settings,
  staleTime: Number.POSITIVE_INFINITY,
  queryFn: ({ signal }) => request<OperatorSettings>('GET', apiPaths.settings, { signal }),
})
