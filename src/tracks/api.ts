import { allowCrossOrigin } from '#platform/http/cross-origin.ts'
import type { HttpServer } from '#platform/http/http-server.ts'
import { FEW_FIELDS } from '#platform/http/parse-json.ts'
import { acceptJsonBodies } from '#platform/http/request-body.ts'
import { createTrack, syncTrack } from './api/create-track.ts'
import { appTrackDoor, requireAppToken, tellDamage } from './api/doors.ts'
import { appTrackList, listTracks } from './api/list-tracks.ts'
import { addPoints, listPoints } from './api/points-routes.ts'
import { deleteTrack, finishTrack, getTrack, updateTrack } from './api/track-routes.ts'
import { webhooksApi } from './api/webhooks.ts'
import { exportTrack } from './exports/routes.ts'
import { acceptImportBodies, appImportDoor, importTracks } from './imports/routes.ts'
import { phoneAppsApi } from './phones/routes.ts'
import type { TracksService } from './service.ts'
import { runnerPages } from './share-pages/runner-routes.ts'

/** Largest JSON body without points, decompressed. */
const MAX_BODY_BYTES = 1_048_576

/** Registers the track recording API, which phones use, and the pages of their codes. */
export async function tracksApi(server: HttpServer, { deps }: TracksService): Promise<void> {
  const door = appTrackDoor(deps)
  await server.register(async (app: HttpServer) => {
    allowCrossOrigin(app, server)
    tellDamage(app, deps, 'owners')
    requireAppToken(app, deps)
    acceptJsonBodies(app, { limitBytes: MAX_BODY_BYTES, limits: FEW_FIELDS, budget: deps.bodyBudget })

    createTrack(app, deps)
    addPoints(app, deps)
    updateTrack(app, door, deps)
    finishTrack(app, door, deps)
    syncTrack(app, deps)
    getTrack(app, door)
    listPoints(app, deps)
    exportTrack(app, door, deps)
    listTracks(app, appTrackList(deps))
    deleteTrack(app, door)
    webhooksApi(app, deps)
    await app.register(async (files: HttpServer) => {
      acceptImportBodies(files, deps.bodyBudget)
      importTracks(files, appImportDoor, deps)
    })
    await app.register((phones: HttpServer) => phoneAppsApi(phones, deps))
  })
  await server.register((pages: HttpServer) => runnerPages(pages, deps))
}
