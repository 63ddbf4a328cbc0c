/** A track as progress along a way: columns of equal length. Meters are null where the place on the way is unknown. */
export type Way = { timeMs: readonly number[]; meters: readonly (number | null)[] }

/**
 * A track at each step of the way, as a fractional index of its points: 3.5 is halfway between the fourth and the
 * fifth. Null where the track did not come by, or nobody knows when.
 */
type Passages = readonly (number | null)[]

/** The zero of times: the start of each track, or one clock for both. */
type CountedFrom = 'own-start' | 'clock'

/** Two tracks along one way. All columns have a value for each of `meters`. */
export type GapOverDistance = {
  /** Even steps of the way from the first to the last place of either track. */
  meters: number[]
  passages: [Passages, Passages]
  /** Seconds from the zero of each track. */
  elapsedSec: [(number | null)[], (number | null)[]]
  /** Seconds by which the second track comes by later: above zero, the first one is ahead. */
  gapSec: (number | null)[]
  /** The part of the way on which both have a time, in meters; undefined without one. */
  common: { fromM: number; toM: number } | undefined
}

/** More steps than a chart has pixels would not be seen. */
const STEPS = 1000

/** The options of a comparison. */
type GapOptions = {
  countedFrom: CountedFrom
  /** A track begins with its last departure from within this distance of its first place: before, it was waiting. */
  startSlackM: number
  /** Further places that must be among the steps, ascending, such as those of splits. */
  alsoAtM?: readonly number[]
}

/**
 * Returns the time between two tracks at each place of their way. A pause is a step in the gap. Each place counts as
 * reached when a track is there for the first time after its start.
 */
export function gapOverDistance(first: Way, second: Way, options: GapOptions): GapOverDistance {
  const starts = [first, second].map(({ meters }) => startOf(meters, options.startSlackM))
  const ends = [first, second].map(({ meters }, side) => lastPlace(meters, starts[side]?.index ?? 0))
  const known = starts.flatMap((start, side) => (start === undefined ? [] : [{ fromM: start.meters, toM: ends[side] }]))
  const fromM = Math.min(...known.map((part) => part.fromM))
  const toM = Math.max(...known.map((part) => part.toM))
  const bothFromM = Math.max(...known.map((part) => part.fromM))
  const steps = known.length === 0 ? [] : stepsBetween(fromM, toM, [bothFromM, ...(options.alsoAtM ?? [])])
  const along = (side: 0 | 1, way: Way) => passagesAt(way.meters, steps, starts[side]?.index ?? way.meters.length)
  const passages: [Passages, Passages] = [along(0, first), along(1, second)]
  return { meters: steps, passages, ...timesBetween([first, second], steps, passages, options.countedFrom) }
}

function timesBetween(ways: [Way, Way], meters: number[], passages: [Passages, Passages], countedFrom: CountedFrom) {
  const timesMs = passages.map((own, side) => own.map((passage) => valueAt(ways[side].timeMs, passage)))
  const isBoth = (step: number) => timesMs[0][step] !== null && timesMs[1][step] !== null
  const from = meters.findIndex((_, step) => isBoth(step))
  const to = meters.findLastIndex((_, step) => isBoth(step))
  const common = from < 0 ? undefined : { fromM: meters[from], toM: meters[to] }
  const zeros = timesMs.map((times) => times[from] ?? times.find((timeMs) => timeMs !== null) ?? 0)
  if (countedFrom === 'clock') zeros.fill(Math.min(...zeros))
  const elapsed = timesMs.map((times, side) => times.map((ms) => (ms === null ? null : (ms - zeros[side]) / 1000)))
  const gapSec = elapsed[0].map((sec, step) => (isBoth(step) ? elapsed[1][step]! - sec! : null))
  return { elapsedSec: elapsed as GapOverDistance['elapsedSec'], gapSec, common }
}

/**
 * Returns the point at which a track sets off: the last departure from within some meters of its lowest place;
 * undefined if no place is known.
 */
function startOf(meters: Way['meters'], slackM: number): { index: number; meters: number } | undefined {
  const lowestM = meters.reduce<number>((least, each) => Math.min(least, each ?? least), Number.POSITIVE_INFINITY)
  let index = meters.findLastIndex((each) => each !== null && each <= lowestM + slackM)
  if (index < 0) return undefined
  while (index > 0 && (meters[index - 1] ?? Number.POSITIVE_INFINITY) < meters[index]!) index--
  return { index, meters: meters[index]! }
}

function lastPlace(meters: Way['meters'], from: number): number {
  let lastM = 0
  for (let index = from; index < meters.length; index++) lastM = Math.max(lastM, meters[index] ?? lastM)
  return lastM
}

/** Returns even steps between two places, with the given ones among them that are within. */
function stepsBetween(fromM: number, toM: number, also: readonly number[]): number[] {
  const stepM = (toM - fromM) / STEPS
  const even = stepM > 0 ? Array.from({ length: STEPS + 1 }, (_, step) => Math.min(toM, fromM + step * stepM)) : [fromM]
  const within = also.filter((meters) => meters > fromM && meters < toM)
  return [...new Set([...even, ...within])].sort((a, b) => a - b)
}

/**
 * Returns when a track first reaches each place, from a point on. Between two points of which one has no known place,
 * nobody knows.
 * @param steps ascending
 */
function passagesAt(meters: Way['meters'], steps: readonly number[], start: number): Passages {
  const passages: (number | null)[] = []
  let index = start
  for (const stepM of steps) {
    while (index < meters.length && (meters[index] ?? Number.NEGATIVE_INFINITY) < stepM) index++
    const at = meters[index]
    if (index >= meters.length || at === null) passages.push(null)
    else if (at === stepM) passages.push(index)
    else {
      const before = index > start ? meters[index - 1] : null
      passages.push(before === null ? null : index - 1 + (stepM - before) / (at - before))
    }
  }
  return passages
}

/** Returns the value of a column at a passage, between those of its points; null if one of them has none. */
export function valueAt(column: readonly (number | null)[], passage: number | null): number | null {
  if (passage === null) return null
  const before = Math.floor(passage)
  const [from, to] = [column[before], column[Math.ceil(passage)]]
  return from === null || to === null ? null : from + (passage - before) * (to - from)
}

/** A part of the way on which one of the two is ahead. */
export type Lead = { side: 0 | 1; fromM: number; toM: number; mostSec: number; mostAtM: number }

/** Receivers err by some meters: less than this is no lead. */
const LEAST_LEAD_SEC = 5

/** Returns who leads where, in the order of the way. */
export function leadsOf({ meters, gapSec }: Pick<GapOverDistance, 'meters' | 'gapSec'>): Lead[] {
  const leads: Lead[] = []
  let sign = 0
  let sinceM = 0
  for (let step = 0; step < meters.length; step++) {
    const gap = gapSec[step]
    if (gap === null) continue
    if (Math.sign(gap) !== sign) [sign, sinceM] = [Math.sign(gap), meters[step]]
    const side = gap > 0 ? 0 : 1
    const ahead = Math.abs(gap)
    const current = leads.at(-1)
    if (current !== undefined && (current.side === side || ahead < LEAST_LEAD_SEC)) {
      if (current.side === side) current.toM = meters[step]
      if (current.side === side && ahead > current.mostSec) [current.mostSec, current.mostAtM] = [ahead, meters[step]]
    } else if (ahead >= LEAST_LEAD_SEC) {
      leads.push({ side, fromM: sinceM, toM: meters[step], mostSec: ahead, mostAtM: meters[step] })
    }
  }
  return leads
}

/** A kilometer or mile of two tracks: the seconds that each took, and the gap at its end; null where unknown. */
export type ComparedSplit = {
  fromM: number
  toM: number
  sec: [number | null, number | null]
  /** Seconds by which the second took longer. */
  differenceSec: number | null
  gapSec: number | null
}

/** Returns the ends of the splits of a way: each full length, and its end. */
export function splitEnds({ fromM, toM }: { fromM: number; toM: number }, lengthM: number): number[] {
  const ends: number[] = []
  for (let meters = (Math.floor(fromM / lengthM) + 1) * lengthM; meters < toM; meters += lengthM) ends.push(meters)
  return toM > fromM ? [...ends, toM] : ends
}

/** Returns the splits of two tracks between places that are among their steps, ascending. */
export function comparedSplits(gap: GapOverDistance, places: readonly number[]): ComparedSplit[] {
  const stepAt = new Map(gap.meters.map((meters, step) => [meters, step]))
  return places.slice(1).map((toM, index) => {
    const [from, to] = [stepAt.get(places[index]) ?? -1, stepAt.get(toM) ?? -1]
    const between = (column: readonly (number | null)[]) =>
      typeof column[from] === 'number' && typeof column[to] === 'number' ? column[to] - column[from] : null
    const sec: ComparedSplit['sec'] = [between(gap.elapsedSec[0]), between(gap.elapsedSec[1])]
    const differenceSec = sec[0] === null || sec[1] === null ? null : sec[1] - sec[0]
    return { fromM: places[index], toM, sec, differenceSec, gapSec: gap.gapSec[to] ?? null }
  })
}
