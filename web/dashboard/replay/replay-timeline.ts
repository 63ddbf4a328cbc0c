import type { Runner } from './replay-runners.ts'

/** All runners from the same moment, each from the own start; or at the time of day. */
export type ReplayMode = 'common' | 'clock'

/** The time of a replay, in seconds from its beginning. */
export type Timeline = {
  mode: ReplayMode
  durationSec: number
  /** Start of the first runner in milliseconds since 1970: the time of day of second 0. */
  originMs: number
  /** Start of each runner on the timeline, by id; 0 for all with a common start. */
  startsSec: ReadonlyMap<string, number>
  /** Times at which anyone is under way, in order and apart. */
  busy: readonly { fromSec: number; toSec: number }[]
}

/** Nobody under way for longer than this is skipped while a replay plays. */
const IDLE_SEC = 600
/** A replay by time of day that is this much longer than with a common start is mostly waiting. */
const MOSTLY_WAITING = 3

/** Returns the timeline of at least one runner. */
export function timelineOf(runners: readonly Runner[], mode: ReplayMode): Timeline {
  const originMs = Math.min(...runners.map(({ startMs }) => startMs))
  const startOf = ({ startMs }: Runner) => (mode === 'common' ? 0 : (startMs - originMs) / 1000)
  const busy: { fromSec: number; toSec: number }[] = []
  for (const runner of runners.toSorted((a, b) => startOf(a) - startOf(b))) {
    const [fromSec, toSec] = [startOf(runner), startOf(runner) + runner.lastSec]
    const last = busy.at(-1)
    if (last !== undefined && fromSec - last.toSec <= IDLE_SEC) last.toSec = Math.max(last.toSec, toSec)
    else busy.push({ fromSec, toSec })
  }
  return {
    mode,
    originMs,
    durationSec: busy.at(-1)!.toSec,
    startsSec: new Map(runners.map((runner) => [runner.id, startOf(runner)])),
    busy,
  }
}

/** Returns the mode that shows most: the time of day, unless the runners started hours or days apart. */
export function usualMode(runners: readonly Runner[]): ReplayMode {
  const [common, clock] = [timelineOf(runners, 'common'), timelineOf(runners, 'clock')]
  return clock.durationSec > MOSTLY_WAITING * common.durationSec ? 'common' : 'clock'
}

/** Returns the seconds that a runner has been under way; negative before the start. */
export function elapsedSec({ startsSec }: Timeline, { id }: Runner, atSec: number): number {
  return atSec - (startsSec.get(id) ?? 0)
}

/** Returns the next time at which anyone is under way; the same time while someone is. */
export function nextBusySec({ busy, durationSec }: Timeline, atSec: number): number {
  const next = busy.find(({ toSec }) => toSec > atSec)
  return next === undefined ? durationSec : Math.max(atSec, next.fromSec)
}
