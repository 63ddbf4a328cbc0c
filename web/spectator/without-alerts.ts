import type { Ranking } from '../dashboard/generated/types.gen.ts'

/** Returns a ranking in which nobody is off the course: that somebody may need help is for operators alone. */
export function withoutAlerts(ranking: Ranking): Ranking {
  return { ...ranking, entries: ranking.entries.map((entry) => ({ ...entry, off_course_m: null })) }
}
