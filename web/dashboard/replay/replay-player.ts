/** Speeds of a replay, as multiples of real time. */
export const SPEEDS = [1, 10, 30, 60, 120, 300, 600] as const

/** The state of a player. `atSec` is between 0 and the duration. */
export type PlayerState = { atSec: number; isPlaying: boolean; speed: number }

/** A replay is meant to take about this long. */
const PLEASANT_SEC = 90

/** The part of a timeline that a player follows. */
type Played = {
  durationSec: number
  /** Returns a later time if nothing happens until then, or else the time itself. */
  skipTo(atSec: number): number
}

/** Plays a timeline: holds the time, and advances it as real time passes. */
export class ReplayPlayer {
  #played: Played
  #state: PlayerState
  #tickedMs: number | undefined
  readonly #listeners = new Set<() => void>()

  constructor(played: Played) {
    this.#played = played
    this.#state = { atSec: 0, isPlaying: false, speed: usualSpeed(played.durationSec) }
  }

  get state(): PlayerState {
    return this.#state
  }

  get durationSec(): number {
    return this.#played.durationSec
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
    this.#change({ isPlaying: true, atSec: atSec >= this.durationSec ? 0 : atSec })
  }

  pause(): void {
    this.#change({ isPlaying: false })
  }

  toggle(): void {
    if (this.#state.isPlaying) this.pause()
    else this.play()
  }

  /** Moves to a time, or to the nearest one there is. */
  seek(sec: number): void {
    this.#change({ atSec: Math.min(Math.max(0, sec), this.durationSec) })
  }

  choose(speed: number): void {
    this.#change({ speed })
  }

  /** Advances the time to a moment of a clock that only this method reads. Pauses at the end. */
  tick(nowMs: number): void {
    const { atSec, isPlaying, speed } = this.#state
    if (!isPlaying) return
    const passedSec = (nowMs - (this.#tickedMs ?? nowMs)) / 1000
    this.#tickedMs = nowMs
    const reached = this.#played.skipTo(atSec + passedSec * speed)
    const isOver = reached >= this.durationSec
    this.#change({ atSec: Math.min(reached, this.durationSec), isPlaying: !isOver })
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
