import { formatDateTime } from '#platform/time/date-time.ts'
import type { Checkpoint } from '../race/checkpoint.ts'
import type { RankedRunner } from '../race/rank-runners.ts'
import type { Ranking, RankingEntry } from '../schemas/race.ts'
import { momentOrNull } from './event-json.ts'

/** The race that is represented. */
type RankedRace = {
  asOfMs: number
  gunMs: number | null
  lengthM: number | null
  isComplete: boolean
  checkpoints: readonly Checkpoint[]
  ranked: readonly RankedRunner[]
}

/** Represents a ranking. It has neither users nor devices, so that spectators may see it. */
export function rankingJson({ asOfMs, gunMs, lengthM, isComplete, checkpoints, ranked }: RankedRace): Ranking {
  const goalM = checkpoints.find(({ kind }) => kind === 'finish')?.course_distance_m ?? lengthM ?? 0
  return {
    as_of: formatDateTime(asOfMs),
    race_starts_at: momentOrNull(gunMs),
    length_m: lengthM === null ? null : round(lengthM),
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
    last_checkpoint: checkpoint === undefined ? null : { id: checkpoint.id, name: checkpoint.name },
    progress_m: Math.round(standing.progressM),
    distance_to_go_m: Math.max(0, Math.round(goalM - standing.progressM)),
    off_course_m: standing.offCourseM === null ? null : Math.round(standing.offCourseM),
    gap_sec: roundOrNull(ranked.gapSec),
    net_sec: roundOrNull(ranked.netSec),
    gun_sec: roundOrNull(ranked.gunSec),
    finish_sec: roundOrNull(ranked.finishSec),
    passings: ranked.passings.map(({ gate, timeMs, elapsedSec, intervalSec }) => ({
      checkpoint_id: checkpoints[gate].id,
      time_ms: Math.round(timeMs),
      elapsed_sec: roundOrNull(elapsedSec),
      interval_sec: round(intervalSec),
    })),
  }
}

/** Passing times are known to some tenths of a second at best. */
function round(value: number): number {
  return Math.round(value * 10) / 10
}

function roundOrNull(value: number | null): number | null {
  return value === null ? null : round(value)
}
