import { useEffect, useRef, useState } from 'react'
import type { PlayerState, ReplayPlayer } from './replay-player.ts'

/** With reduced motion, a replay moves in steps like the pages of a book. */
const STILL_EVERY_MS = 1000

/** A frame of the screen takes 17 ms. Frames that take longer than this leave out as much time as they take. */
const SLOW_FRAME_MS = 40

/**
 * Lets a player run while it plays: with every frame of the screen, or once a second. Where
 * drawing is slow, because there are thousands of runners and no graphics card, the time between
 * frames is left to the reader's buttons and keys.
 */
export function usePlaying(player: ReplayPlayer, isStill: boolean): void {
  useEffect(() => {
    let frame: number | undefined
    let nextMs = Number.NEGATIVE_INFINITY
    let tickedMs: number | undefined
    const run = (nowMs: number) => {
      // Most of the cost of a frame comes after the script, and shows in when the next one begins.
      const tookMs = tickedMs === undefined ? 0 : nowMs - tickedMs
      tickedMs = undefined
      if (tookMs > SLOW_FRAME_MS) nextMs = Math.max(nextMs, nowMs + tookMs)
      if (nowMs >= nextMs) {
        if (isStill) nextMs = nowMs + STILL_EVERY_MS
        tickedMs = nowMs
        player.tick(nowMs)
      }
      frame = player.state.isPlaying ? requestAnimationFrame(run) : undefined
    }
    const begin = () => {
      if (player.state.isPlaying && frame === undefined) frame = requestAnimationFrame(run)
    }
    const leave = player.subscribe(begin)
    begin()
    return () => {
      leave()
      if (frame !== undefined) cancelAnimationFrame(frame)
      frame = undefined
    }
  }, [player, isStill])
}

/**
 * Returns the state of a player. While it plays, the time is up to `everyMs` old, because pages are slower than
 * pictures.
 */
export function usePlayerState(player: ReplayPlayer, everyMs: number): PlayerState {
  const [state, setState] = useState(player.state)
  const shown = useRef({ state: player.state, ms: 0 })
  useEffect(() => {
    const show = () => {
      const nowMs = performance.now()
      const isMoved =
        player.state.isPlaying && shown.current.state.isPlaying && shown.current.state.speed === player.state.speed
      if (isMoved && nowMs - shown.current.ms < everyMs) return
      shown.current = { state: player.state, ms: nowMs }
      setState(player.state)
    }
    show()
    return player.subscribe(show)
  }, [player, everyMs])
  return state
}
