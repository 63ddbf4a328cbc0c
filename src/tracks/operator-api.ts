import type { OperatorGuard, ProtectedResource } from '#platform/credentials/operator-rule.ts'
import { allowCrossOrigin } from '#platform/http/cross-origin.ts'
import type { HttpServer } from '#platform/http/http-server.ts'
import { acceptJsonBodies } from '#platform/http/request-body.ts'
import type { MapPages } from '#platform/pages/map-pages.ts'
import { tracksAccess } from './access.ts'
import { binThings, eraseEvent, eraseTrack, getBin, restoreEvent, restoreTrack } from './api/bin-routes.ts'
import { eventThing, operatorEventDoor, operatorTrackDoor, tellDamage } from './api/doors.ts'
import { createEvent, deleteEvent, getEvent, listEvents, updateEvent } from './api/event-routes.ts'
import { listTracks, operatorTrackList } from './api/list-tracks.ts'
import { createParticipantTokens } from './api/participant-routes.ts'
import { getSeries, getSplits, listPoints } from './api/series-routes.ts'
import { tokenRoutes } from './api/token-routes.ts'
import { deleteTrack, finishTrack, getTrack, reopenTrack, updateTrack } from './api/track-routes.ts'
import { operatorWebhooksApi } from './api/webhooks.ts'
import { erasuresApi } from './erasure/routes.ts'
import { exportEvent, exportTrack } from './exports/routes.ts'
import { getFrame, getFrameTile, getLatestFrame } from './frames/routes.ts'
import { acceptImportBodies, importTracks, operatorImportDoor } from './imports/routes.ts'
import { getReplay, watchEvent } from './live/routes.ts'
import { getCourse } from './race/course-routes.ts'
import { getEventResults, getRanking, getResults } from './race/ranking-routes.ts'
import { createRehearsal, deleteRehearsal, getRehearsal } from './race/rehearsal-routes.ts'
import { raceApi } from './race/routes.ts'
import type { TracksService } from './service.ts'
import { sharePages } from './share-pages/routes.ts'
import { limitSpectators, rememberingDoor, shareDoors } from './shares/open-share.ts'
import { createShare, getShare, listShares, revokeShare, sharedTrackList, shareThing } from './shares/routes.ts'

/** Largest JSON body, decoded: names, notes and dates. */
const MAX_BODY_BYTES = 65_536

const EVENT_ROUTES = [listEvents, createEvent, getEvent, updateEvent, deleteEvent, tokenRoutes]

const BIN_ROUTES = [getBin, restoreEvent, eraseEvent, restoreTrack, eraseTrack]

/** Registers the operations on a track. */
function trackRoutes(app: HttpServer, door: ReturnType<typeof operatorTrackDoor>, deps: TracksService['deps']): void {
  getTrack(app, door)
  updateTrack(app, door, deps)
  finishTrack(app, door, deps)
  reopenTrack(app, door, deps)
  for (const route of [getSeries, getSplits, listPoints]) route(app, door, deps)
  exportTrack(app, door, deps)
  deleteTrack(app, door)
}

/** Registers events, app tokens and tracks for signed-in operators, and the pages they share with spectators. */
export async function tracksOperatorApi(
  server: HttpServer,
  { deps }: TracksService,
  guard: OperatorGuard,
  mapPages: MapPages,
): Promise<void> {
  const event = operatorEventDoor(deps)
  const track = operatorTrackDoor(deps)
  const things = [eventThing, track.thing, shareThing(deps), ...binThings(deps)]
  const forOperators = (things: readonly ProtectedResource[], register: (app: HttpServer) => void) =>
    server.register(async (app: HttpServer) => {
      tagOperations(app, 'Operator')
      guard(app, tracksAccess, things)
      register(app)
    })
  await forOperators(things, (app) => {
    tellDamage(app, deps, 'owners')
    acceptJsonBodies(app, { limitBytes: MAX_BODY_BYTES, budget: deps.bodyBudget })
    for (const route of [...EVENT_ROUTES, ...BIN_ROUTES]) route(app, deps)
    listTracks(app, operatorTrackList(deps))
    for (const route of [watchEvent, getLatestFrame, getFrame, getFrameTile, getReplay]) route(app, event, deps)
    exportEvent(app, deps)
    trackRoutes(app, track, deps)
    for (const route of [listShares, createShare, revokeShare]) route(app, deps)
    for (const route of [getRehearsal, createRehearsal, deleteRehearsal]) route(app, deps)
    operatorWebhooksApi(app, deps)
  })
  await forOperators(things, (app) => raceApi(app, event, deps))
  await forOperators(things, (app) => {
    acceptImportBodies(app, deps.bodyBudget)
    importTracks(app, operatorImportDoor, deps)
  })
  await forOperators(things, (app) => createParticipantTokens(app, deps))
  await forOperators([], (app) => {
    acceptJsonBodies(app, { limitBytes: MAX_BODY_BYTES, budget: deps.bodyBudget })
    erasuresApi(app, deps)
  })
  await server.register(async (app: HttpServer) => shareApi(app, server, deps))
  await server.register(async (app: HttpServer) => resultsApi(app, server, deps))
  await server.register(async (app: HttpServer) => sharePages(app, deps, mapPages))
}

/**
 * Registers what spectators with a share link may read. Each client address has its own request allowance. Pages of
 * other sites may read it too: whoever has the link may show it.
 */
function shareApi(app: HttpServer, server: HttpServer, deps: TracksService['deps']): void {
  allowCrossOrigin(app, server)
  tagOperations(app, 'Shared')
  tellDamage(app, deps, 'spectators')
  limitSpectators(app, deps, 'share links')
  getShare(app, deps)
  listTracks(app, sharedTrackList(deps))
  const { event, track } = shareDoors(deps)
  watchEvent(app, event, deps)
  const frames = rememberingDoor(event, deps)
  for (const route of [getLatestFrame, getFrame, getFrameTile]) route(app, frames, deps)
  for (const route of [getSeries, getSplits]) route(app, track, deps)
  getReplay(app, event, deps)
  getCourse(app, event, deps)
  for (const route of [getRanking, getEventResults]) route(app, event, deps)
}

/** Registers the results, which programs and pages of other sites read with a token. */
function resultsApi(app: HttpServer, server: HttpServer, deps: TracksService['deps']): void {
  allowCrossOrigin(app, server)
  limitSpectators(app, deps, 'results')
  getResults(app, deps)
}

/** Puts the operations of a scope under a tag of the API's description, unless they have one. */
function tagOperations(app: HttpServer, tag: string): void {
  app.addHook('onRoute', (route) => {
    route.schema = { tags: [tag], ...route.schema }
  })
}
