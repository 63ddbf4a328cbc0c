import {
  createCurrentStatistics,
  createFiguresCheck,
  createRefreshStatistics,
} from '../statistics/current-statistics.ts'
import { createEventHeights } from '../statistics/event-courses.ts'
import { createTerrainUnderTracks } from '../statistics/figure-inputs.ts'
import { createProfiles } from '../statistics/kept-answers.ts'
import { createDelayedEnds, createDelayedReplay } from './delayed-ends.ts'
import { createDelayedStatistics, createDelayedTails, createDelayedTracks } from './delayed-tracks.ts'

type Options = Omit<Parameters<typeof createCurrentStatistics>[0], 'terrain'> & { now: () => number }

/** Builds what computes the figures of tracks, for phones, operators and spectators. */
export function openStatistics(options: Options) {
  const terrain = createTerrainUnderTracks(options.pool, options.logger)
  const deps = { ...options, terrain }
  const currentStatistics = createCurrentStatistics(deps)
  const hasCurrentFigures = createFiguresCheck(deps.maxAccuracyMeters, terrain)
  const delayedEnds = createDelayedEnds(deps)
  return {
    terrain,
    currentStatistics,
    hasCurrentFigures,
    eventHeights: createEventHeights(deps),
    delayedEnds,
    delayedReplay: createDelayedReplay(delayedEnds),
    delayedTails: createDelayedTails(deps),
    delayedTracks: createDelayedTracks(delayedEnds, createDelayedStatistics(deps), hasCurrentFigures),
    refreshStatistics: createRefreshStatistics(currentStatistics, hasCurrentFigures, deps.now),
    profiles: createProfiles(deps),
  }
}
