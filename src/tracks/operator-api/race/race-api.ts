import type { BodyBudget } from '#platform/http/bodies/body-budget.ts'
import type { HttpServer } from '#platform/http/http-server.ts'
import { listCheckpoints, putCheckpoints } from './checkpoints.ts'
import { deleteCourse } from './delete-course.ts'
import { getCourse } from './get-course.ts'
import { getEventResults } from './get-event-results.ts'
import { getRanking } from './get-ranking.ts'
import { putCourse } from './put-course.ts'
import { acceptRaceBodies } from './race-bodies.ts'
import { getRace, updateRace } from './race-settings.ts'
import { listRunners, putRunners, updateRunner } from './runners.ts'

const ROUTES = [
  getRace,
  updateRace,
  getCourse,
  putCourse,
  deleteCourse,
  listCheckpoints,
  putCheckpoints,
  listRunners,
  putRunners,
  updateRunner,
  getRanking,
  getEventResults,
]

type Deps = { bodyBudget: BodyBudget } & Parameters<typeof putCourse>[1] &
  Parameters<typeof putCheckpoints>[1] &
  Parameters<typeof putRunners>[1] &
  Parameters<typeof updateRace>[1] &
  Parameters<typeof getEventResults>[1]

/** Registers the race of an event for operators. In a scope of its own, because it takes files. */
export function raceApi(app: HttpServer, deps: Deps): void {
  acceptRaceBodies(app, deps.bodyBudget)
  for (const route of ROUTES) route(app, deps)
}
