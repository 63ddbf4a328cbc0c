import type { Checkpoint } from '../race/checkpoint.ts'
import { decodeCourseLine } from '../race/course-line.ts'
import type { Course, Race, Runner } from '../schemas/race.ts'
import type { RaceSummaryRow } from '../storage/race/race-store.ts'
import type { RaceRow, RunnerRow } from '../storage/tables.ts'
import { momentOrNull } from './event-json.ts'

/** Returns the checkpoints of a race, in the order of the course. */
export function checkpointsOf({ checkpoints }: Pick<RaceRow, 'checkpoints'>): Checkpoint[] {
  return JSON.parse(checkpoints)
}

/** Represents a course; undefined without one. */
export function courseJson(race: RaceRow): Course | undefined {
  if (race.course_line === null) return undefined
  const line = decodeCourseLine(race.course_line)
  return {
    name: race.course_name,
    length_m: rounded(race.course_length_m ?? 0),
    climb_m: race.course_climb_m === null ? null : Math.round(race.course_climb_m),
    line: {
      latitude: [...line.latitude],
      longitude: [...line.longitude],
      altitude: Array.from(line.altitude, (meters) => (Number.isNaN(meters) ? null : meters)),
      distance_m: Array.from(line.distanceM, rounded),
    },
  }
}

/** Represents what is set up for a race. */
export function raceJson(race: RaceSummaryRow, runners: number): Race {
  return {
    race_starts_at: momentOrNull(race.starts_at_ms),
    course_name: race.course_name,
    length_m: race.course_length_m === null ? null : rounded(race.course_length_m),
    climb_m: race.course_climb_m === null ? null : Math.round(race.course_climb_m),
    checkpoints_count: checkpointsOf(race).length,
    runners_count: runners,
  }
}

export function runnerJson({ user_id, bib, name, category, status }: RunnerRow): Runner {
  return { user_id, bib, name, category, status }
}

function rounded(meters: number): number {
  return Math.round(meters * 10) / 10
}
