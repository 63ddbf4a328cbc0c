import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import type {
  ErasureMatch,
  ErasurePreview,
  ErasureReceipt,
  ErasureReceiptList,
  ErasureRequest,
} from '../../../../src/tracks/schemas/erasures.ts'
import { apiPaths, withQuery } from '../api-paths.ts'
import { queryKeys } from '../query-keys.ts'
import { request } from '../request.ts'

export type { ErasurePreview, ErasureReceipt, ErasureRequest }

/** The receipts of all erasures, newest first. */
export const erasuresQuery = infiniteQueryOptions({
  queryKey: queryKeys.erasures,
  initialPageParam: undefined as string | undefined,
  queryFn: ({ signal, pageParam }) =>
    request<ErasureReceiptList>('GET', withQuery(apiPaths.erasures, { cursor: pageParam }), { signal }),
  getNextPageParam: ({ next_cursor }) => next_cursor ?? undefined,
})

/** One receipt. Asked for again while its erasure is in progress. */
export function erasureQuery(id: string) {
  return queryOptions({
    queryKey: queryKeys.erasure(id),
    queryFn: ({ signal }) => request<ErasureReceipt>('GET', apiPaths.erasure(id), { signal }),
    refetchInterval: ({ state }) => (state.data?.finished_at === null ? 2000 : false),
  })
}

/** Counts what an erasure would remove. */
export function previewErasure(subject: ErasureRequest): Promise<ErasurePreview> {
  return request('POST', apiPaths.previewErasure, { body: subject })
}

/** Erases the data of a person. The response is the receipt. */
export function createErasure(subject: ErasureRequest): Promise<ErasureReceipt> {
  return request('POST', apiPaths.erasures, { body: subject })
}

/** Tells whether a receipt is that of a person. */
export function verifyErasure(id: string, user_id: string): Promise<ErasureMatch> {
  return request('POST', apiPaths.verifyErasure(id), { body: { user_id } })
}
