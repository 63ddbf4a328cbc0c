import { useQuery } from '@tanstack/react-query'
import { useCallback, useMemo } from 'react'
import { DEFAULT_NO_SIGNAL_AFTER_SEC } from '../../../src/tracks/model/event-rules.ts'
import { useNow } from '../components/ago.tsx'
import { operatorGetEventOptions, operatorGetRankingOptions } from '../generated/@tanstack/react-query.gen.ts'
import type { Ranking, TrackSummary } from '../generated/types.gen.ts'
import { raceFactsOf } from '../live/live-tracks.ts'
import { StatusBadge } from '../live/runner-card.tsx'
import { type Listed, statusOf } from '../live/runners.ts'

/** The part of a track that tells its state. */
type StatedTrack = Pick<TrackSummary, 'id' | 'state' | 'last_point_at' | 'start_ts'>

/** Silences are counted in minutes. */
const REFRESH_MS = 30_000
/** The ranking of more runners would be a megabyte, for a word beside some of them. */
const MAX_TRACKS = 1000

/**
 * Returns how to tell the state of the tracks of an event, as on the live map: who has arrived has finished, although
 * the phone has not, and no other runner has, although the recording ended. Nobody is in progress of whom nothing is
 * heard.
 */
export function useTrackState(eventId: string, tracks: readonly StatedTrack[]) {
  const isAnyOpen = tracks.some(({ state }) => state !== 'stopped')
  const hasTracks = tracks.length > 0
  const event = useQuery({ ...operatorGetEventOptions({ path: { id: eventId } }), enabled: hasTracks })
  const ranking = useQuery({
    ...operatorGetRankingOptions({ path: { id: eventId } }),
    enabled: event.data !== undefined && event.data.tracks_count <= MAX_TRACKS,
    refetchInterval: isAnyOpen && REFRESH_MS,
  })
  const listed = useMemo(() => listedIn(ranking.data), [ranking.data])
  const nowMs = useNow(REFRESH_MS)
  const noSignalAfterSec = event.data?.no_signal_after_sec ?? DEFAULT_NO_SIGNAL_AFTER_SEC
  return useCallback(
    (track: StatedTrack) => {
      const race = listed.get(track.id)?.race
      const heardMs = Date.parse(track.last_point_at ?? track.start_ts)
      const status = statusOf({ state: track.state, race }, heardMs, nowMs, noSignalAfterSec)
      return <StatusBadge status={status} raceStatus={race?.status ?? undefined} />
    },
    [listed, nowMs, noSignalAfterSec],
  )
}

function listedIn(ranking: Ranking | undefined): ReadonlyMap<string, Listed> {
  if (ranking === undefined || ranking.length_m === null) return new Map()
  return raceFactsOf(ranking.entries, true)
}
