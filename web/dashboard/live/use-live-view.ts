import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import type { SharedTrack } from '../../../src/tracks/api/operator-track-schemas.ts'
import { unwrapLongitudes } from '../../map/coordinates.ts'
import type { QueryOf } from '../api/queries.ts'
import type { EventReplay, Ranking, TrackSeries } from '../generated/types.gen.ts'
import type { LiveSnapshot } from './live-store.ts'
import { applyPastLine, applyRanking, type Position, refreshStatuses } from './live-tracks.ts'

/** Interval at which ages are brought up to date, and silence is noticed that no message tells of. */
const REFRESH_MS = 5000

/**
 * Keeps the statuses of live tracks up to date by the server's clock: with each change, and while nothing is heard.
 * @returns a number that grows with them
 */
export function useStatuses(
  { tracks, version, shownNowMs }: LiveSnapshot<SharedTrack>,
  noSignalAfterSec: number,
): number {
  const [statusVersion, setStatusVersion] = useState(0)
  // biome-ignore lint/correctness/useExhaustiveDependencies: the version tells that the tracks changed
  useEffect(() => {
    const refresh = () => refreshStatuses(tracks, shownNowMs(), noSignalAfterSec)
    if (refresh()) setStatusVersion((before) => before + 1)
    const timer = setInterval(() => {
      refresh()
      // Ages are read anew also where no status has changed.
      setStatusVersion((before) => before + 1)
    }, REFRESH_MS)
    return () => clearInterval(timer)
  }, [tracks, version, shownNowMs, noSignalAfterSec])
  return statusVersion
}

/** Queries the ranking, which has bibs, names and categories of the start list. */
export type RankingQuery = QueryOf<Ranking>

/** The ranking of more runners would be a megabyte on a slow connection, only for their bibs. */
const MAX_TRACKS = 1000
/** Shortest time between two requests while tracks are added. */
const STALE_MS = 60_000

/** Adds what the start list and the race have of the runners. @returns a number that grows with it */
export function useStartList({ tracks, state }: LiveSnapshot<SharedTrack>, query: RankingQuery): number {
  const [version, setVersion] = useState(0)
  const { size } = tracks.byId
  const { data, dataUpdatedAt, refetch } = useQuery({
    ...query,
    enabled: state === 'live' && size > 0 && size <= MAX_TRACKS,
    staleTime: STALE_MS,
  })
  useEffect(() => {
    if (data !== undefined && applyRanking(tracks, data.entries, data.length_m !== null))
      setVersion((before) => before + 1)
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

/** Queries the reduced lines of all tracks. */
export type LinesQuery = QueryOf<EventReplay>

/** Of more tracks the lines would take long on a slow connection and cover each other. They have one when selected. */
const USE_PAST_LINES_MAX_TRACKS = 60

/**
 * Adds the lines of finished tracks, of which the stream has the last position alone, so that a small event's map shows
 * where everyone went. @returns a number that grows once they are known
 */
export function usePastLines({ tracks, state, version }: LiveSnapshot<SharedTrack>, linesQuery: LinesQuery): number {
  const [isWanted, setWanted] = useState(false)
  const [linesVersion, setLinesVersion] = useState(0)
  // biome-ignore lint/correctness/useExhaustiveDependencies: the version tells that the tracks changed
  useEffect(() => {
    if (isWanted || state !== 'live' || tracks.byId.size > USE_PAST_LINES_MAX_TRACKS) return
    if ([...tracks.byId.values()].some(({ track, positions }) => track?.state === 'stopped' && positions === 1)) {
      setWanted(true)
    }
  }, [tracks, state, version, isWanted])
  const { data } = useQuery({ ...linesQuery, enabled: isWanted })
  useEffect(() => {
    if (data === undefined) return
    for (const { track_id, start_ms, time_sec, latitude, longitude } of data.tracks) {
      const untilMs = tracks.byId.get(track_id)?.firstTimeMs ?? Number.POSITIVE_INFINITY
      const longitudes = unwrapLongitudes(longitude)
      const line = time_sec.flatMap((sec, i): Position[] =>
        start_ms + sec * 1000 <= untilMs ? [[longitudes[i], latitude[i]]] : [],
      )
      if (line.length > 1) applyPastLine(tracks, track_id, [line])
    }
    setLinesVersion((before) => before + 1)
  }, [data, tracks])
  return linesVersion
}

/** The line of a series up to the first point at a time or later, in parts between its gaps. */
export function lineUntil(
  { time_ms, longitude, latitude, gaps }: Pick<TrackSeries, 'time_ms' | 'longitude' | 'latitude' | 'gaps'>,
  untilMs: number,
): Position[][] {
  const later = time_ms.findIndex((timeMs) => timeMs >= untilMs)
  const end = later === -1 ? time_ms.length : later + 1
  const longitudes = unwrapLongitudes(longitude)
  const breaks = gaps.map(({ index }) => index).filter((index) => index < end)
  return [0, ...breaks].map((start, part) => {
    const indexes = Array.from({ length: (breaks[part] ?? end) - start }, (_, i) => start + i)
    return indexes.map((index): Position => [longitudes[index], latitude[index]])
  })
}
