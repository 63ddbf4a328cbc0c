import { acceptJsonBodies } from '#platform/http/bodies/json-body.ts'
import type { HttpServer } from '#platform/http/http-server.ts'
import type { MapPages } from '#platform/http/server/map-pages.ts'
import type { OperatorGuard } from '#platform/http/server/operator-guard.ts'
import { tellDamage } from './damage/tell-damage.ts'
import { acceptImportBodies } from './imports/import-bodies.ts'
import { erasuresApi } from './operator-api/erasures/erasures-api.ts'
import { createEvent } from './operator-api/events/create-event.ts'
import { deleteEvent } from './operator-api/events/delete-event.ts'
import { exportEvent } from './operator-api/events/export-event.ts'
import { getEvent } from './operator-api/events/get-event.ts'
import { getReplay } from './operator-api/events/get-replay.ts'
import { listEvents } from './operator-api/events/list-events.ts'
import { updateEvent } from './operator-api/events/update-event.ts'
import { watchEvent } from './operator-api/events/watch-event.ts'
import { guardedThings } from './operator-api/guarded-things.ts'
import { raceApi } from './operator-api/race/race-api.ts'
import { createShare } from './operator-api/shares/create-share.ts'
import { listShares } from './operator-api/shares/list-shares.ts'
import { revokeShare } from './operator-api/shares/revoke-share.ts'
import { createParticipantTokens } from './operator-api/tokens/create-participant-tokens.ts'
import { createToken } from './operator-api/tokens/create-token.ts'
import { getToken } from './operator-api/tokens/get-token.ts'
import { listParticipantTokens } from './operator-api/tokens/list-participant-tokens.ts'
import { listTokens } from './operator-api/tokens/list-tokens.ts'
import { revokeToken } from './operator-api/tokens/revoke-token.ts'
import { rotateTokens } from './operator-api/tokens/rotate-tokens.ts'
import { deleteTrack } from './operator-api/tracks/delete-track.ts'
import { exportTrack } from './operator-api/tracks/export-track.ts'
import { finishTrack } from './operator-api/tracks/finish-track.ts'
import { getSeries } from './operator-api/tracks/get-series.ts'
import { getSplits } from './operator-api/tracks/get-splits.ts'
import { getTrack } from './operator-api/tracks/get-track.ts'
import { importTracks } from './operator-api/tracks/import-tracks.ts'
import { listPoints } from './operator-api/tracks/list-points.ts'
import { listTracks } from './operator-api/tracks/list-tracks.ts'
import { updateTrack } from './operator-api/tracks/update-track.ts'
import type { TracksService } from './service.ts'
import { resultsApi, shareApi } from './share-api/share-api.ts'
import { sharePages } from './share-pages/share-pages.ts'
import { operatorWebhooksApi } from './webhooks/webhooks-api.ts'

/** Largest JSON body, decoded: names, notes and dates. */
const MAX_BODY_BYTES = 65_536

const ROUTES = [
  listEvents,
  createEvent,
  getEvent,
  updateEvent,
  deleteEvent,
  listTokens,
  createToken,
  rotateTokens,
  listParticipantTokens,
  getToken,
  revokeToken,
  listTracks,
  watchEvent,
  getReplay,
  exportEvent,
  getTrack,
  updateTrack,
  finishTrack,
  getSeries,
  getSplits,
  listPoints,
  exportTrack,
  deleteTrack,
  listShares,
  createShare,
  revokeShare,
]

/** Registers events, app tokens and tracks for signed-in operators, and the pages they share with spectators. */
export async function tracksOperatorApi(
  server: HttpServer,
  { deps }: Pick<TracksService, 'deps'>,
  guard: OperatorGuard,
  mapPages: MapPages,
): Promise<void> {
  const things = guardedThings(deps)
  await server.register(async (app: HttpServer) => {
    tellDamage(app, deps, 'owners')
    guard(app, things)
    acceptJsonBodies(app, { limitBytes: MAX_BODY_BYTES, budget: deps.bodyBudget })
    for (const route of ROUTES) route(app, deps)
    operatorWebhooksApi(app, deps)
  })
  await server.register(async (app: HttpServer) => {
    guard(app, things)
    raceApi(app, deps)
  })
  await server.register(async (app: HttpServer) => {
    guard(app, things)
    acceptImportBodies(app, deps.bodyBudget)
    importTracks(app, deps)
  })
  await server.register(async (app: HttpServer) => {
    guard(app, things)
    createParticipantTokens(app, deps)
  })
  await server.register(async (app: HttpServer) => {
    guard(app)
    acceptJsonBodies(app, { limitBytes: MAX_BODY_BYTES, budget: deps.bodyBudget })
    erasuresApi(app, deps)
  })
  await server.register(async (app: HttpServer) => shareApi(app, server, deps))
  await server.register(async (app: HttpServer) => resultsApi(app, server, deps))
  await server.register(async (app: HttpServer) => sharePages(app, { ...deps, mapPages }))
}
