import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import type { SharedTrack } from '../../../src/tracks/schemas/track-summaries.ts'
import { unwrapLongitudes } from '../../map/unwrap-longitudes.ts'
import type { replayQuery } from '../api/replays.ts'
import type { LiveSnapshot } from './live-store.ts'
import { applyPastLine, type Position } from './live-tracks.ts'

/** Queries the reduced lines of all tracks. */
export type LinesQuery = ReturnType<typeof replayQuery>

/** Of more tracks the lines would take long on a slow connection and cover each other. They have one when selected. */
const MAX_TRACKS = 60

/**
 * Adds the lines of finished tracks, of which the stream has the last position alone, so that a small event's map shows
 * where everyone went. @returns a number that grows once they are known
 */
export function usePastLines({ tracks, state, version }: LiveSnapshot<SharedTrack>, linesQuery: LinesQuery): number {
  const [isWanted, setWanted] = useState(false)
  const [linesVersion, setLinesVersion] = useState(0)
  // biome-ignore lint/correctness/useExhaustiveDependencies: the version tells that the tracks changed
  useEffect(() => {
    if (isWanted || state !== 'live' || tracks.byId.size > MAX_TRACKS) return
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
