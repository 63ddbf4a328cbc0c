import { useEffect, useMemo, useState } from 'react'
import type { SharedTrack } from '../../../src/tracks/schemas/track-summaries.ts'
import { beforeNextFrame, createBatches } from './frame-batches.ts'
import type { LiveState } from './live-state.ts'
import { type LiveEvent, openLiveStream, takeLiveEvent } from './live-stream.ts'
import { type LiveTracks, noLiveTracks } from './live-tracks.ts'

export type Live<Track extends SharedTrack> = {
  tracks: LiveTracks<Track>
  /** Moves with every change of `tracks`, which is changed in place. */
  version: number
  state: LiveState
}

/** What comes in is shown at most so often; more changes nothing that an eye sees. */
const SHOWN_EVERY_MS = 250
/** Showing takes this share of the time at most: a page with thousands of tracks is drawn less often. */
const REST_PER_SHOWING = 4
/** So much of a frame goes to reading what came in; the rest is left to the one who looks at the page. */
const BUDGET_MS = 8

/** The tracks of a stream of server-sent events as they are now. */
export function useLiveTracks<Track extends SharedTrack>(address: string): Live<Track> {
  // biome-ignore lint/correctness/useExhaustiveDependencies: another address shows other tracks
  const tracks = useMemo(() => noLiveTracks<Track>(), [address])
  const [version, setVersion] = useState(0)
  const [state, setState] = useState<LiveState>('opening')

  useEffect(() => {
    setState('opening')
    const showing = restedShowing(() => setVersion((before) => before + 1))
    const batches = createBatches<LiveEvent>({
      take: (event) => {
        // Only now: what was told before it stands in line before it.
        if (event.name === 'ready') setState('live')
        else takeLiveEvent(tracks, event)
      },
      onTaken: showing.show,
      schedule: beforeNextFrame,
      budgetMs: BUDGET_MS,
      nowMs: () => performance.now(),
    })
    const stream = openLiveStream(address, { onEvent: batches.add, onState: setState })
    return () => {
      stream.close()
      batches.clear()
      showing.stop()
    }
  }, [address, tracks])

  return { tracks, version, state }
}

/** Shows what is new at once, and then not again before a rest. */
function restedShowing(show: () => void): { show(): void; stop(): void } {
  let timer: ReturnType<typeof setTimeout> | undefined
  let isDue = false

  function begin(): void {
    isDue = false
    const startMs = performance.now()
    show()
    // After the page is drawn, which is when this timer comes to its turn.
    timer = setTimeout(() => {
      const tookMs = performance.now() - startMs
      timer = setTimeout(rested, Math.max(SHOWN_EVERY_MS, tookMs * REST_PER_SHOWING))
    })
  }

  function rested(): void {
    timer = undefined
    if (isDue) begin()
  }

  return {
    show() {
      if (timer === undefined) begin()
      else isDue = true
    },
    stop: () => clearTimeout(timer),
  }
}
