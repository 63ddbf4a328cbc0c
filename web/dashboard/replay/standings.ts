import { placeAt, type Runner, valueAt } from './replay-runners.ts'
import { elapsedSec, type Timeline } from './replay-timeline.ts'

/** A runner at a time of a replay. */
export type Standing = {
  runner: Runner
  state: 'waiting' | 'running' | 'ended'
  /** Seconds under way, at most until the end; 0 before the start. */
  elapsedSec: number
  meters: number
}

/** Returns where everyone is at a time: those who have come furthest first, and those who have not started last. */
export function standingsAt(runners: readonly Runner[], timeline: Timeline, atSec: number): Standing[] {
  const standings = runners.map((runner): Standing => {
    const sec = elapsedSec(timeline, runner, atSec)
    const state = sec < 0 ? 'waiting' : sec < runner.lastSec || runner.isUnderWay ? 'running' : 'ended'
    const meters = valueAt(runner.meters, placeAt(runner, sec))
    return { runner, state, elapsedSec: Math.min(Math.max(0, sec), runner.lastSec), meters }
  })
  const rank = ({ state, meters }: Standing) => (state === 'waiting' ? -1 : meters)
  return standings.sort((a, b) => rank(b) - rank(a) || a.elapsedSec - b.elapsedSec)
}
