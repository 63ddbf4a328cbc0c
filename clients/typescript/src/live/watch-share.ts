import type { LiveAsOf, LiveEvent } from './live-events.ts'
import { ShareEndedError } from './share-ended.ts'
import { createToldTracks } from './told-tracks.ts'
import { type FrameEvent, type WatchFramesOptions, watchFrames } from './watch-frames.ts'

/** Settings of the reader. */
export type WatchShareOptions = Pick<WatchFramesOptions, 'signal' | 'fetch' | 'pause'> & {
  /** Address of the server, such as `https://tracks.example.org`. */
  baseUrl: string
  /** Token of the share, the last part of its link. */
  shareToken: string
}

/**
 * Follows the tracks of a share: `for await (const event of watchShare({ baseUrl, shareToken })) …`. Reads frames,
 * which caches keep, and the list of tracks for what frames lack. Goes on after lost connections. Ends after `ended`,
 * or when `signal` is aborted.
 *
 * A track has at most one position in a frame. `watchStream` has every point.
 * @throws ShareEndedError if there is no such share
 */
export async function* watchShare(options: WatchShareOptions): AsyncGenerator<LiveEvent, void> {
  const told = createToldTracks(options)
  let hasBegun = false
  try {
    for await (const event of watchFrames(options)) {
      if (event.name === 'disconnected') {
        yield { name: 'disconnected', data: { retryMs: event.retryMs } }
        continue
      }
      yield* told.take(event)
      if (options.signal?.aborted) return
      if (hasBegun) yield { name: 'as-of', data: asOf(event) }
      else yield { name: 'ready', data: { ...asOf(event), tracks_left_out: event.frame.leftOut } }
      hasBegun = true
    }
  } catch (error) {
    if (!hasBegun || !(error instanceof ShareEndedError)) throw error
    yield { name: 'ended', data: {} }
  }
}

function asOf({ frame, newest }: Extract<FrameEvent, { name: 'frame' }>): LiveAsOf {
  return { as_of: new Date(frame.asOfMs).toISOString(), lag_ms: newest.lagMs, delay_sec: frame.delaySec }
}
