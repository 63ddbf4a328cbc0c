import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import type { SharedTrack } from '../../../src/tracks/schemas/track-summaries.ts'
import type { rankingQuery } from '../api/races.ts'
import type { LiveSnapshot } from './live-store.ts'
import { applyStartList } from './live-tracks.ts'

/** Queries the ranking, which has bibs, names and categories of the start list. */
export type RankingQuery = ReturnType<typeof rankingQuery>

/** The ranking of more runners would be a megabyte on a slow connection, only for their bibs. */
const MAX_TRACKS = 1000
/** Shortest time between two requests while tracks are added. */
const STALE_MS = 60_000

/** Adds what the start list has of the runners. @returns a number that grows with it */
export function useStartList({ tracks, state }: LiveSnapshot<SharedTrack>, query: RankingQuery): number {
  const [version, setVersion] = useState(0)
  const { size } = tracks.byId
  const { data, dataUpdatedAt, refetch } = useQuery({
    ...query,
    enabled: state === 'live' && size > 0 && size <= MAX_TRACKS,
    staleTime: STALE_MS,
  })
  useEffect(() => {
    if (data !== undefined && applyStartList(tracks, data.entries)) setVersion((before) => before + 1)
  }, [data, tracks])
  const isListed = data?.entries.some(({ bib }) => bib !== null) ?? false
  const isComplete = data === undefined || data.entries.length >= size
  useEffect(() => {
    if (!isListed || isComplete) return
    const timer = setTimeout(() => void refetch(), Math.max(0, dataUpdatedAt + STALE_MS - Date.now()))
    return () => clearTimeout(timer)
  }, [isListed, isComplete, dataUpdatedAt, refetch])
  return version
}
