import type { PointColumns } from '../points/point-columns.ts'
import type { Projection } from '../statistics/course-line.ts'
import { clearOfGate, crossing, type Gate } from './checkpoints.ts'
import { addGap, type Gap, gapBetween } from './gaps.ts'
import { countedReach, doubtfulReach, followStays, type LineStay, STOP_MS } from './line-stops.ts'
import { addVisit, type Visit } from './visits.ts'

/** A position that counts, in the plane of the course. */
type Fix = { timeMs: number; x: number; y: number; accuracyM: number }

/** A position with the way to it. */
export type Position = Fix & {
  /** Metres run since the first position. */
  travelledM: number
  /** Direction of the last metres, as a vector of any length; both zero if unknown. */
  dx: number
  dy: number
  /** Time of the position that showed this one to be none of a leap; missing if that was clear at once. */
  knownMs?: number
}

/** A track as far as it has been followed. It is plain data, so that it can be stored and continued elsewhere. */
export type FollowedTrack = {
  /** Points read so far, those left out included. */
  pointCount: number
  /** Time of the latest point read. */
  lastMs: number | null
  /** Positions that may turn out to be spikes; the latest one is always among them. */
  waiting: Fix[]
  last: Fix | null
  /** Place up to which `travelledM` is counted, and the one before. */
  anchor: { x: number; y: number } | null
  before: { x: number; y: number } | null
  travelledM: number
  /** Metres that may have been run unseen, in all gaps. */
  unseenM: number
  gaps: Gap[]
  visits: Visit[]
  /** Stays near start and finish lines that last. */
  stays: LineStay[]
  /**
   * Stops in the wider surroundings of the finish, and turns close to it, which do not count by themselves; and stays
   * there that last.
   */
  nearStops: Visit[]
  nearStays: LineStay[]
  /** Positions of the last while, for spectators who see everything later; empty without a delay. */
  trail: Position[]
}

/** The settings of following. Tracks followed with different settings cannot be continued. */
export type FollowSettings = {
  gates: readonly Gate[]
  projection: Projection
  /** Speed above which a position is not plausible. */
  maxSpeedMps: number
  /** Positions with a worse accuracy do not count; 0 for no limit. */
  maxAccuracyM: number
  /** The part of the track that counts. */
  fromMs: number
  toMs: number
  /** Time for which the trail is kept; 0 for none. */
  trailMs: number
}

/** Version of the computation. A higher one keeps states of an older computation from being continued. */
export const FOLLOW_METHOD = 6

/** Steps shorter than this are jitter of a receiver at rest, and are not counted until they add up. */
const MIN_STEP_METERS = 10
/** Longest excursion in positions that is recognised as a spike, as in the statistics. */
const MAX_SPIKE = 30
/** Accuracy assumed for positions without one: a phone under trees. */
const USUAL_ACCURACY_M = 10
/** Longest interval that is stated: a recording with a longer gap says nothing about the time. */
const MAX_INTERVAL_SEC = 43_200
const MIN_TRAIL_STEP_MS = 5000
const TRAIL_LENGTH = 120

export function newFollowedTrack(): FollowedTrack {
  return {
    pointCount: 0,
    lastMs: null,
    waiting: [],
    last: null,
    anchor: null,
    before: null,
    travelledM: 0,
    unseenM: 0,
    gaps: [],
    visits: [],
    stays: [],
    nearStops: [],
    nearStays: [],
    trail: [],
  }
}

/**
 * Follows a track along its next points, which are later than all before. However the points are divided among
 * calls, the result is the same. Positions of a bad accuracy are left out, and so are leaps away and back; of
 * several at one time, the most accurate counts.
 */
export function follow(track: FollowedTrack, points: PointColumns, settings: FollowSettings): void {
  const { projection, maxAccuracyM, fromMs, toMs } = settings
  const limitM = maxAccuracyM > 0 ? maxAccuracyM : Number.POSITIVE_INFINITY
  track.pointCount += points.count
  for (let i = 0; i < points.count; i++) {
    const timeMs = points.timeMs[i]
    track.lastMs = timeMs
    // Phones send a negative accuracy, or none, where they know none.
    const accuracyM = points.accuracy[i] >= 0 ? points.accuracy[i] : USUAL_ACCURACY_M
    if (accuracyM > limitM || timeMs < fromMs || timeMs > toMs) continue
    receive(track, settings, {
      timeMs,
      x: projection.x(points.longitude[i]),
      y: projection.y(points.latitude[i]),
      accuracyM,
    })
  }
}

/** Returns the track with the positions that still wait: all of them, but for leaps that have not come back yet. */
export function followedToEnd(track: FollowedTrack, settings: FollowSettings): FollowedTrack {
  const own = (stays: readonly LineStay[]) => stays.map((stay) => ({ ...stay, samples: [...stay.samples] }))
  const { waiting, visits, stays, nearStops, nearStays, trail } = track
  const copy = {
    ...track,
    waiting: [...waiting],
    visits: [...visits],
    stays: own(stays),
    nearStops: [...nearStops],
    nearStays: own(nearStays),
    trail: [...trail],
  }
  takeWaiting(copy, settings, 0)
  return copy
}

/** Returns the latest position; undefined before the first. */
export function latestPosition(track: FollowedTrack): Position | undefined {
  const { last, anchor, before } = track
  if (last === null || anchor === null) return undefined
  const travelledM = track.travelledM + Math.hypot(last.x - anchor.x, last.y - anchor.y)
  const [dx, dy] = before === null ? [0, 0] : [last.x - before.x, last.y - before.y]
  return { ...last, travelledM, dx, dy }
}

function receive(track: FollowedTrack, settings: FollowSettings, fix: Fix): void {
  const { waiting } = track
  const newest = waiting[waiting.length - 1]
  if (newest !== undefined && newest.timeMs === fix.timeMs) {
    if (fix.accuracyM < newest.accuracyM) waiting[waiting.length - 1] = fix
    return
  }
  waiting.push(fix)
  takeWaiting(track, settings, 1)
}

/** Counts waiting positions, except the `kept` latest, and positions of a leap that may still come back. */
function takeWaiting(track: FollowedTrack, settings: FollowSettings, kept: number): void {
  const { waiting } = track
  let decidedMs = Number.NEGATIVE_INFINITY
  while (waiting.length > kept) {
    if (track.last !== null && speed(track.last, waiting[0]) > settings.maxSpeedMps) {
      const back = returnOf(track.last, waiting, waiting.length - kept, settings.maxSpeedMps)
      if (back !== undefined) waiting.splice(0, back)
      else if (waiting.length <= MAX_SPIKE) return
      else decidedMs = waiting[waiting.length - 1].timeMs
    }
    const fix = waiting.shift()!
    count(track, settings, fix, Math.max(fix.timeMs, decidedMs))
  }
}

/** Returns the index of the waiting position at which a leap comes back to where it began; undefined for none. */
function returnOf(last: Fix, waiting: readonly Fix[], end: number, limitMps: number): number | undefined {
  for (let i = 1; i < end; i++) {
    if (speed(waiting[i - 1], waiting[i]) > limitMps && speed(last, waiting[i]) <= limitMps) return i
  }
  return undefined
}

function speed(from: Fix, to: Fix): number {
  return (Math.hypot(to.x - from.x, to.y - from.y) / (to.timeMs - from.timeMs)) * 1000
}

/** Counts a position, which is known to be one since `knownMs`: the way to it, and the gates on that way. */
function count(track: FollowedTrack, settings: FollowSettings, fix: Fix, knownMs: number): void {
  const { last } = track
  track.last = fix
  track.anchor ??= { x: fix.x, y: fix.y }
  if (!isClear(settings.gates, last ?? fix, fix)) visitGates(track, settings, last, fix, knownMs)
  const gap = last === null ? undefined : gapBetween(last, fix, settings.maxSpeedMps)
  if (gap !== undefined) {
    track.unseenM += gap.unseenM
    track.gaps = addGap(track.gaps, gap)
  }
  const stepM = Math.hypot(fix.x - track.anchor.x, fix.y - track.anchor.y)
  if (stepM >= MIN_STEP_METERS) {
    track.travelledM += stepM
    track.before = track.anchor
    track.anchor = { x: fix.x, y: fix.y }
  }
  if (settings.trailMs > 0) extendTrail(track, settings.trailMs, knownMs)
}

/** Adds the visits of a leg: what it crosses and enters, and the stops near lines. */
function visitGates(track: FollowedTrack, settings: FollowSettings, from: Fix | null, to: Fix, knownMs: number): void {
  const { gates } = settings
  for (let i = 0; i < gates.length && from !== null; i++) {
    const visit = visitOf(track, gates[i], i, from, to)
    if (visit !== undefined) track.visits = addVisit(track.visits, { ...visit, knownMs }, settings)
  }
  const counted = (fix: Fix) => ({ ...fix, travelledM: travelledAt(track, fix), unseenM: track.unseenM })
  const leg = { from: from === null ? null : counted(from), to: counted(to), knownMs }
  for (const { passesMs, isTurn, ...stop } of followStays(track.stays, gates, leg, countedReach)) {
    if (!isTurn) track.visits = addVisit(track.visits, stop, settings, passesMs)
    else if (!hasCrossed(track, stop)) track.nearStops = addVisit(track.nearStops, stop, settings)
  }
  for (const { passesMs, isTurn, ...stop } of followStays(track.nearStays, gates, leg, doubtfulReach)) {
    if (passesMs === undefined && !isTurn) track.nearStops = addVisit(track.nearStops, stop, settings)
  }
}

/** Tells whether the runner who turned near a gate had crossed it. */
function hasCrossed({ visits }: FollowedTrack, turn: Visit): boolean {
  return visits.some(({ gate, timeMs }) => gate === turn.gate && Math.abs(timeMs - turn.timeMs) < STOP_MS)
}

/** Returns the metres run up to a place near the latest position. */
function travelledAt({ travelledM, anchor }: FollowedTrack, { x, y }: { x: number; y: number }): number {
  return travelledM + Math.hypot(x - anchor!.x, y - anchor!.y)
}

/** A place around which there is no gate within a radius, for each course. */
const clearings = new WeakMap<readonly Gate[], { x: number; y: number; radiusM: number }>()

/** Tells that a leg touches no gate, because both of its ends lie within a circle without gates. Most legs do. */
function isClear(gates: readonly Gate[], from: Fix, to: Fix): boolean {
  const known = clearings.get(gates)
  if (known !== undefined && isWithin(known, from) && isWithin(known, to)) return true
  let radiusM = Number.POSITIVE_INFINITY
  for (const gate of gates) {
    const reachM = Math.max(countedReach(gate), doubtfulReach(gate))
    radiusM = Math.min(radiusM, clearOfGate(gate, from.x, from.y) - reachM)
  }
  if (radiusM <= 0) return false
  const clearing = { x: from.x, y: from.y, radiusM }
  clearings.set(gates, clearing)
  return isWithin(clearing, to)
}

function isWithin({ x, y, radiusM }: { x: number; y: number; radiusM: number }, place: Fix): boolean {
  return (place.x - x) ** 2 + (place.y - y) ** 2 < radiusM * radiusM
}

function visitOf(track: FollowedTrack, gate: Gate, index: number, from: Fix, to: Fix): Visit | undefined {
  const { enters, leaves } = crossing(gate, from.x, from.y, to.x, to.y)
  const f = gate.kind === 'start' ? leaves : enters
  if (f === undefined) return undefined
  const legSec = (to.timeMs - from.timeMs) / 1000
  const travelledM = travelledAt(track, { x: from.x + f * (to.x - from.x), y: from.y + f * (to.y - from.y) })
  return {
    gate: index,
    timeMs: from.timeMs + f * (to.timeMs - from.timeMs),
    knownMs: to.timeMs,
    intervalSec: Math.min(MAX_INTERVAL_SEC, legSec / 2 + spreadSec(gate, from, to)),
    travelledM,
    unseenM: track.unseenM,
    untilTravelledM: travelledM,
  }
}

/** Time in which a runner covers the error of the two positions at the speed between them, across a line. */
function spreadSec(gate: Gate, from: Fix, to: Fix): number {
  const [dx, dy] = [to.x - from.x, to.y - from.y]
  const legSec = (to.timeMs - from.timeMs) / 1000
  let acrossM = Math.hypot(dx, dy)
  if (gate.type === 'line') {
    const [lx, ly] = [gate.bx - gate.ax, gate.by - gate.ay]
    acrossM = Math.abs(lx * dy - ly * dx) / Math.hypot(lx, ly)
  }
  return acrossM === 0 ? MAX_INTERVAL_SEC : ((from.accuracyM + to.accuracyM) / 2 / acrossM) * legSec
}

/** Keeps positions at even distances in time, as many as spectators can tell apart. */
function extendTrail(track: FollowedTrack, trailMs: number, knownMs: number): void {
  const { trail } = track
  const position = latestPosition(track)!
  const stepMs = Math.max(MIN_TRAIL_STEP_MS, trailMs / TRAIL_LENGTH)
  const newest = trail[trail.length - 1]
  if (newest !== undefined && position.timeMs - newest.timeMs < stepMs) return
  trail.push(knownMs > position.timeMs ? { ...position, knownMs } : position)
  // One position must be older than the delay, so that there is always one to show.
  while (trail.length > 1 && position.timeMs - trail[1].timeMs > trailMs + stepMs) trail.shift()
}
