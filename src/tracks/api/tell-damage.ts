import type { FastifyReply, FastifyRequest } from 'fastify'
import type { HttpServer } from '#platform/http/http-server.ts'
import { sendProblem } from '#platform/http/problem.ts'
import { trackDamaged } from '../model/errors.ts'
import { isChunkDamaged } from '../points/chunks/bytes.ts'
import { damageOfTrack } from '../points/storage/damage.ts'
import type { ApiDeps } from './deps.ts'

/** Routes that are about one track, whose id is a parameter. */
const OF_ONE_TRACK = /\/tracks\/:id(?:\/|$)/

/**
 * Answers `trackDamaged` where a chunk of a track cannot be read, and names the points. Spectators do not get to know
 * them: where they see a track later or in part, the times would say more.
 */
export function tellDamage(app: HttpServer, { db }: ApiDeps, to: 'owners' | 'spectators'): void {
  app.addHook('onRoute', (route) => {
    const readsTrack = OF_ONE_TRACK.test(route.url) || /\/tracks\/:trackId\//.test(route.url)
    if (readsTrack) route.schema = { ...route.schema, problems: [...(route.schema?.problems ?? []), trackDamaged] }
  })

  async function problemOf(error: unknown, request: FastifyRequest): Promise<unknown> {
    if (!isChunkDamaged(error)) return error
    const { id } = request.params as { id?: string }
    const isKnown = to === 'owners' && id !== undefined && OF_ONE_TRACK.test(request.routeOptions.url ?? '')
    if (!isKnown) return trackDamaged({ cause: error })
    return await damageOfTrack(db, id, error)
  }

  app.setErrorHandler(async (error, request: FastifyRequest, reply: FastifyReply) =>
    sendProblem(await problemOf(error, request).catch(() => error), request, reply),
  )
}
