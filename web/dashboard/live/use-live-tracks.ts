import { useEffect, useRef, useState } from 'react'
import type { LiveEnded, LivePoints, LiveTrackDeleted, SharedTrack } from '../../../src/tracks/operator-schemas.ts'
import { applyPoints, applyTrack, type LiveTracks } from './live-tracks.ts'

/** How a live map stands: `opening` until all that was before is told, `waiting` while the connection is made anew. */
export type LiveState = 'opening' | 'live' | 'waiting' | 'closed' | 'ended'

export type Live<Track extends SharedTrack> = {
  tracks: LiveTracks<Track>
  /** Moves with every change of `tracks`, which is changed in place. */
  version: number
  state: LiveState
}

/** What comes in is shown at most so often; more changes nothing that an eye sees. */
const SHOWN_EVERY_MS = 250

/**
 * The tracks of a stream of server-sent events as they are now. The browser makes a broken connection anew by itself
 * and says which event it had last (HTML, 9.2); `closed` is when the server refused it.
 */
export function useLiveTracks<Track extends SharedTrack>(address: string): Live<Track> {
  const tracks = useRef<LiveTracks<Track>>(new Map())
  const [version, setVersion] = useState(0)
  const [state, setState] = useState<LiveState>('opening')

  useEffect(() => {
    tracks.current = new Map()
    setState('opening')
    const live = tracks.current
    let timer: ReturnType<typeof setTimeout> | undefined
    const changed = () => {
      timer ??= setTimeout(() => {
        timer = undefined
        setVersion((before) => before + 1)
      }, SHOWN_EVERY_MS)
    }
    const source = new EventSource(address)
    const on = <Data>(name: string, take: (data: Data) => void) =>
      source.addEventListener(name, (event: MessageEvent<string>) => {
        take(JSON.parse(event.data) as Data)
        changed()
      })
    on<Track>('track', (track) => applyTrack(live, track))
    on<LiveTrackDeleted>('track-deleted', ({ id }) => live.delete(id))
    on<LivePoints>('points', (points) => applyPoints(live, points))
    on('ready', () => setState('live'))
    on<LiveEnded>('ended', () => {
      source.close()
      setState('ended')
    })
    source.onopen = () => setState((before) => (before === 'waiting' ? 'live' : before))
    source.onerror = () => setState(source.readyState === EventSource.CLOSED ? 'closed' : 'waiting')
    return () => {
      clearTimeout(timer)
      source.close()
    }
  }, [address])

  return { tracks: tracks.current, version, state }
}
