import { useEffect, useRef, useState } from 'react'

/** Speeds of a replay, as multiples of real time. */
export const SPEEDS = [1, 10, 30, 60, 120, 300, 600] as const

/** The state of a player. `atSec` is between both ends. `isLive` is true while it keeps up with the present. */
type PlayerState = { atSec: number; isPlaying: boolean; speed: number; isLive: boolean }

/** A replay is meant to take about this long. */
const PLEASANT_SEC = 90

/** The part of a timeline that a player follows. */
export type Played = {
  /** Both ends. They move while an event goes on. */
  fromSec: number
  untilSec: number
  /** Returns a later time if nothing happens until then, or else the time itself. */
  skipTo(atSec: number): number
  /** Returns the time that is shown as the present; absent where everything is over. */
  presentSec?(): number
}

/** The last seconds of an event that goes on are the present: nobody can point at the end itself. */
const PRESENT_SEC = 5

/**
 * Plays a timeline: holds the time, and advances it as real time passes. Live is the end of a replay: there it keeps up
 * with the present, until it is moved back.
 */
export class Player {
  #played: Played
  #state: PlayerState
  #tickedMs: number | undefined
  readonly #listeners = new Set<() => void>()

  constructor(played: Played) {
    this.#played = played
    const isLive = played.presentSec !== undefined
    const { fromSec, untilSec } = played
    const speed = isLive ? 1 : usualSpeed(untilSec - fromSec)
    this.#state = { atSec: isLive ? untilSec : fromSec, isPlaying: isLive, speed, isLive }
  }

  get state(): PlayerState {
    return this.#state
  }

  get fromSec(): number {
    return this.#played.fromSec
  }

  get untilSec(): number {
    return this.#played.untilSec
  }

  /** Calls back after each change of the state. Returns how to end that. */
  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  /** Plays on; from the beginning if the end is reached. */
  play(): void {
    this.#tickedMs = undefined
    const { atSec } = this.#state
    this.#change({ isPlaying: true, atSec: atSec >= this.untilSec ? this.fromSec : atSec })
  }

  pause(): void {
    this.#change({ isPlaying: false, isLive: false })
  }

  toggle(): void {
    if (this.#state.isPlaying) this.pause()
    else this.play()
  }

  /** Moves to a time, or to the nearest one there is. */
  seek(sec: number): void {
    const { fromSec, untilSec, presentSec } = this.#played
    if (presentSec !== undefined && sec > untilSec - PRESENT_SEC) this.goLive()
    else this.#change({ atSec: Math.min(Math.max(fromSec, sec), untilSec), isLive: false })
  }

  /** Returns to the present. */
  goLive(): void {
    this.#change({ isLive: true, isPlaying: true, speed: 1, atSec: this.#presentSec() })
  }

  choose(speed: number): void {
    this.#change({ speed })
  }

  /** Advances the time to a moment of a clock that only this method reads. Pauses at the end. */
  tick(nowMs: number): void {
    const { atSec, isPlaying, speed, isLive } = this.#state
    if (!isPlaying) return
    if (isLive) {
      this.#tickedMs = nowMs
      const presentSec = this.#presentSec()
      if (presentSec !== atSec) this.#change({ atSec: presentSec })
      return
    }
    const passedSec = (nowMs - (this.#tickedMs ?? nowMs)) / 1000
    this.#tickedMs = nowMs
    const reached = this.#played.skipTo(atSec + passedSec * speed)
    const { presentSec, untilSec } = this.#played
    const isOver = reached >= untilSec
    if (presentSec !== undefined && (isOver || reached >= this.#presentSec())) this.goLive()
    else this.#change({ atSec: Math.min(reached, untilSec), isPlaying: !isOver })
  }

  #presentSec(): number {
    return this.#played.presentSec?.() ?? this.#played.untilSec
  }

  #change(change: Partial<PlayerState>): void {
    this.#state = { ...this.#state, ...change }
    for (const listener of this.#listeners) listener()
  }
}

/** Returns the speed at which a replay takes about a minute and a half. */
export function usualSpeed(durationSec: number): number {
  return SPEEDS.find((speed) => durationSec / speed <= PLEASANT_SEC) ?? SPEEDS.at(-1)!
}

/** Returns a step for the arrow keys: about a hundredth of the replay, in even seconds or minutes. */
export function stepSec(durationSec: number): number {
  return [1, 5, 10, 30, 60, 300, 600].findLast((step) => step <= durationSec / 100) ?? 1
}

/** With reduced motion, a replay moves in steps like the pages of a book. */
const STILL_EVERY_MS = 1000

/** A frame of the screen takes 17 ms. Frames that take longer than this leave out as much time as they take. */
const SLOW_FRAME_MS = 40

/**
 * Lets a player run while it plays: with every frame of the screen, or once a second. Where
 * drawing is slow, because there are thousands of runners and no graphics card, the time between
 * frames is left to the reader's buttons and keys.
 */
export function usePlaying(player: Player, isStill: boolean): void {
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
export function usePlayerState(player: Player, everyMs: number): PlayerState {
  const [state, setState] = useState(player.state)
  const shown = useRef({ state: player.state, ms: 0 })
  useEffect(() => {
    const show = () => {
      const nowMs = performance.now()
      const isMoved =
        player.state.isPlaying &&
        shown.current.state.isPlaying &&
        shown.current.state.speed === player.state.speed &&
        shown.current.state.isLive === player.state.isLive
      if (isMoved && nowMs - shown.current.ms < everyMs) return
      shown.current = { state: player.state, ms: nowMs }
      setState(player.state)
    }
    show()
    return player.subscribe(show)
  }, [player, everyMs])
  return state
}
