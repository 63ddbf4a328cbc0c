import { formatDateTime, momentOrNull } from '#platform/basics/time.ts'
import type { StatisticsSummary } from '../api/operator-track-schemas.ts'
import type { RaceRow, RunnerRow, TimeBasis } from '../model/tables.ts'
import { type CourseLine, decodeCourseLine } from '../statistics/course-line.ts'
import { type Checkpoint, type Gate, gatesOf } from './checkpoints.ts'
import { type CourseShape, courseShape } from './course.ts'
import type { RunnerDoubt } from './doubts.ts'
import type { RankedRunner } from './rank-runners.ts'
import type { Decision, Ranking, RankingEntry, ResultEntry } from './result-schemas.ts'
import type { Runner } from './runner-schemas.ts'
import type { Course, Race } from './schemas.ts'
import type { RaceSummaryRow } from './store.ts'

/** Returns the checkpoints of a race, in the order of the course. */
export function checkpointsOf({ checkpoints }: RaceSummaryRow): Checkpoint[] {
  return JSON.parse(checkpoints)
}

/** Represents a course; undefined without one. */
export function courseJson(race: RaceRow): Course | undefined {
  if (race.course_line === null) return undefined
  const line = decodeCourseLine(race.course_line)
  return {
    name: race.course_name,
    length_m: round(race.course_length_m ?? 0),
    climb_m: climbOf(race),
    line: {
      latitude: [...line.latitude],
      longitude: [...line.longitude],
      altitude: Array.from(line.altitude, (meters) => (Number.isNaN(meters) ? null : meters)),
      distance_m: Array.from(line.distanceM, round),
    },
  }
}

/** Returns the climb of a course as its organiser states it, else as it is estimated. */
function climbOf(race: RaceSummaryRow): number | null {
  return whole(race.stated_climb_m ?? race.course_climb_m)
}

function whole(meters: number | null): number | null {
  return meters === null ? null : Math.round(meters)
}

/** Represents the settings of a race. */
export function raceJson(race: RaceSummaryRow, runners: number): Race {
  return {
    race_starts_at: momentOrNull(race.starts_at_ms),
    time_basis: race.time_basis,
    course_name: race.course_name,
    length_m: roundOrNull(race.course_length_m),
    climb_m: climbOf(race),
    stated_climb_m: race.stated_climb_m,
    estimated_climb_m: whole(race.course_climb_m),
    checkpoints_count: checkpointsOf(race).length,
    runners_count: runners,
  }
}

export function runnerJson(runner: RunnerRow): Runner {
  const { user_id, bib, name, category, status, status_at_ms, status_place } = runner
  return { user_id, bib, name, category, status, status_at: momentOrNull(status_at_ms), status_place }
}

/** The race that is represented. */
type RankedRace = {
  asOfMs: number
  gunMs: number | null
  timeBasis: TimeBasis
  lengthM: number | null
  isComplete: boolean
  checkpoints: readonly Checkpoint[]
  ranked: readonly RankedRunner[]
}

/** Represents a ranking. It has neither users nor devices, so that spectators may see it. */
export function rankingJson(race: RankedRace): Ranking {
  const { asOfMs, gunMs, timeBasis, lengthM, isComplete, checkpoints, ranked } = race
  const goalM = checkpoints.find(({ kind }) => kind === 'finish')?.course_distance_m ?? lengthM ?? 0
  return {
    as_of: formatDateTime(asOfMs),
    race_starts_at: momentOrNull(gunMs),
    time_basis: gunMs === null ? 'net' : timeBasis,
    length_m: roundOrNull(lengthM),
    is_complete: isComplete,
    checkpoints: checkpoints.map(({ id, name, kind, course_distance_m }) => ({ id, name, kind, course_distance_m })),
    entries: ranked.map((runner) => rankingEntry(runner, checkpoints, goalM)),
  }
}

function rankingEntry(ranked: RankedRunner, checkpoints: readonly Checkpoint[], goalM: number): RankingEntry {
  const { track, runner, standing } = ranked
  const last = ranked.passings.at(-1)
  const checkpoint = last === undefined ? undefined : checkpoints[last.gate]
  return {
    track_id: track?.id ?? null,
    bib: runner?.bib ?? null,
    name: runner?.name ?? track?.title ?? '',
    category: runner?.category ?? null,
    rank: ranked.rank,
    category_rank: ranked.categoryRank,
    state: standing.state,
    status: runner?.status ?? null,
    status_at: momentOrNull(runner?.status_at_ms ?? null),
    status_place: runner?.status_place ?? null,
    last_checkpoint: checkpoint === undefined ? null : { id: checkpoint.id, name: checkpoint.name },
    progress_m: Math.round(standing.progressM),
    distance_to_go_m: Math.max(0, Math.round(goalM - standing.progressM)),
    off_course_m: standing.offCourseM === null ? null : Math.round(standing.offCourseM),
    gap_sec: roundOrNull(ranked.gapSec),
    net_sec: roundOrNull(ranked.netSec),
    gun_sec: roundOrNull(ranked.gunSec),
    finish_sec: roundOrNull(ranked.finishSec),
    passings: ranked.passings.map(({ gate, timeMs, elapsedSec, intervalSec, awayM, source, recordedMs }) => ({
      checkpoint_id: checkpoints[gate].id,
      time_ms: Math.round(timeMs),
      elapsed_sec: roundOrNull(elapsedSec),
      interval_sec: round(intervalSec),
      source,
      away_m: roundOrNull(awayM),
      recorded_time_ms: recordedMs === null ? null : Math.round(recordedMs),
    })),
  }
}

/** Represents a doubtful time, with the charge of the phone at its last point; null if it is not known. */
export function decisionJson(doubt: RunnerDoubt, batteryPercent: number | null): Decision {
  const { kind, runner, trackId, checkpoint, timeMs, isEstimated, awayM, countedMs, lastMs, fromMs, untilMs } = doubt
  return {
    kind,
    bib: runner.bib,
    name: runner.name,
    track_id: trackId,
    checkpoint: { id: checkpoint.id, name: checkpoint.name },
    time: formatDateTime(Math.round(timeMs)),
    is_estimated: isEstimated,
    away_m: roundOrNull(awayM),
    counted_time: momentOrNull(countedMs === null ? null : Math.round(countedMs)),
    last_point_at: momentOrNull(lastMs),
    battery_percent: batteryPercent,
    shown_from: formatDateTime(Math.round(fromMs)),
    shown_until: formatDateTime(Math.round(untilMs)),
  }
}

/** Rounds metres and seconds to tenths: neither places nor passing times are known better. */
function round(value: number): number {
  return Math.round(value * 10) / 10
}

function roundOrNull(value: number | null): number | null {
  return value === null ? null : round(value)
}

/** Adds to the entry of a runner the climb and the descent of the track, as last computed. */
export function withClimb(entry: RankingEntry, statistics: StatisticsSummary | null | undefined): ResultEntry {
  if (!statistics) return entry
  const { elevation_gain_interval_m: gain, elevation_loss_interval_m: loss } = statistics
  return {
    ...entry,
    elevation_gain_m: round(statistics.elevation_gain_m),
    ...(gain && { elevation_gain_interval_m: gain.map(round) }),
    elevation_loss_m: round(statistics.elevation_loss_m),
    ...(loss && { elevation_loss_interval_m: loss.map(round) }),
  }
}

/** A course with its checkpoints, ready to be compared with tracks. */
export type RaceCourse = {
  revision: number
  line: CourseLine
  shape: CourseShape
  checkpoints: Checkpoint[]
  gates: Gate[]
}

/** Prepares the course of a race; undefined without one. */
export function raceCourse(race: RaceRow): RaceCourse | undefined {
  if (race.course_line === null) return undefined
  const line = decodeCourseLine(race.course_line)
  const shape = courseShape(line)
  const checkpoints = checkpointsOf(race)
  return { revision: race.course_revision, line, shape, checkpoints, gates: gatesOf(shape, checkpoints) }
}
