import { queryOptions } from '@tanstack/react-query'
import type { EventReplay } from '../../../src/tracks/schemas/replay.ts'
import { apiPaths } from './api-paths.ts'
import { queryKeys } from './query-keys.ts'
import { request } from './request.ts'

export type { EventReplay }

/** A replay can have megabytes, and must not change while it is watched. It leaves the cache soon after that. */
const WATCHED = { staleTime: Number.POSITIVE_INFINITY, gcTime: 10_000 } as const

/** The replay of an event. */
export function replayQuery(eventId: string) {
  return queryOptions({
    ...WATCHED,
    queryKey: queryKeys.replay(eventId),
    queryFn: ({ signal }) => request<EventReplay>('GET', apiPaths.eventReplay(eventId), { signal }),
  })
}

/** The replay of a share. */
export function sharedReplayQuery(token: string) {
  return queryOptions({
    ...WATCHED,
    queryKey: queryKeys.sharedReplay(token),
    queryFn: ({ signal }) => request<EventReplay>('GET', apiPaths.sharedReplay(token), { signal }),
  })
}
