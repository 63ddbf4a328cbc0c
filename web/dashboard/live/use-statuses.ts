import { useEffect, useState } from 'react'
import type { SharedTrack } from '../../../src/tracks/schemas/track-summaries.ts'
import type { LiveSnapshot } from './live-store.ts'
import { refreshStatuses } from './live-tracks.ts'

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
