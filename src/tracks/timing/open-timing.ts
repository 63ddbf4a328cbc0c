import { createFollowedTracksStore } from '../storage/race/followed-tracks-store.ts'
import { createRaceStore } from '../storage/race/race-store.ts'
import { createCourseReader } from './course-reader.ts'
import { createRaceBoards, type RaceBoardsDeps } from './race-boards.ts'

/** Builds what times races: their store, the reader of courses, and the rankings. */
export function openTiming(deps: Omit<RaceBoardsDeps, 'races' | 'stored'>) {
  const courses = createCourseReader()
  const races = createRaceStore(deps.db)
  const stored = createFollowedTracksStore(deps.db)
  return {
    races,
    courses,
    followedTracks: stored,
    raceBoards: createRaceBoards({ ...deps, races, stored }),
    async closeTiming() {
      await courses.close()
    },
  }
}
