import type { HttpServer } from '#platform/http/http-server.ts'
import { courseNotFound, shareEnded, shareNotFound } from '../errors.ts'
import { momentOrNull } from '../representations/event-json.ts'
import { checkpointsOf, courseJson } from '../representations/race-json.ts'
import { SharedParams } from '../schemas/addresses.ts'
import { SharedCourse } from '../schemas/race.ts'
import type { RaceStore } from '../storage/race/race-store.ts'
import { openShare, type ShareDeps } from './open-share.ts'

type Deps = ShareDeps & { races: Pick<RaceStore, 'find'> }

/** GET /shares/:token/course */
export function getSharedCourse(app: HttpServer, deps: Deps) {
  app.get(
    '/shares/:token/course',
    {
      schema: {
        operationId: 'getSharedCourse',
        summary: 'Get the course of a share',
        description: 'Returns the course of the event with its checkpoints.',
        tags: ['Shared'],
        params: SharedParams,
        problems: [shareNotFound, shareEnded, courseNotFound],
        response: { 200: SharedCourse },
      },
    },
    async ({ params }) => {
      const share = await openShare(deps, params.token)
      const race = await deps.races.find(share.event_id)
      const course = courseJson(race)
      if (course === undefined) throw courseNotFound()
      return { ...course, race_starts_at: momentOrNull(race.starts_at_ms), checkpoints: checkpointsOf(race) }
    },
  )
}
