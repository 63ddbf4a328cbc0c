import { queryOptions } from '@tanstack/react-query'
import type { OperatorSettings } from '../../../src/operator/schemas.ts'
import { request } from './request.ts'

/** What the dashboard has to know of the installation. */
export const settingsQuery = queryOptions({
  queryKey: ['settings'],
  staleTime: Number.POSITIVE_INFINITY,
  queryFn: ({ signal }) => request<OperatorSettings>('GET', '/operator/settings', { signal }),
})
