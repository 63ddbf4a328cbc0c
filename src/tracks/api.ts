import { acceptJsonBodies } from '#platform/http/bodies/json-body.ts'
import type { HttpServer } from '#platform/http/http-server.ts'
import { FEW_FIELDS } from '#platform/http/json/parse-json-limits.ts'
import { allowCrossOrigin } from '#platform/http/server/cross-origin.ts'
import { addPoints } from './app-api/add-points.ts'
import { requireAppToken } from './app-api/authentication.ts'
import { createTrack } from './app-api/create-track.ts'
import { deleteTrack } from './app-api/delete-track.ts'
import { exportTrack } from './app-api/export-track.ts'
import { finishTrack } from './app-api/finish-track.ts'
import { getTrack } from './app-api/get-track.ts'
import { importTracks } from './app-api/import-tracks.ts'
import { listPoints } from './app-api/list-points.ts'
import { listTracks } from './app-api/list-tracks.ts'
import { syncTrack } from './app-api/sync-track.ts'
import { updateTrack } from './app-api/update-track.ts'
import { tellDamage } from './damage/tell-damage.ts'
import { acceptImportBodies } from './imports/import-bodies.ts'
import { phoneAppsApi } from './phone-apps/phone-apps-api.ts'
import type { TracksService } from './service.ts'
import { webhooksApi } from './webhooks/webhooks-api.ts'

/** Largest JSON body without points, decompressed. */
const MAX_BODY_BYTES = 1_048_576

/** Registers the track recording API, which phones use. */
export async function tracksApi(server: HttpServer, { deps }: Pick<TracksService, 'deps'>): Promise<void> {
  await server.register(async (app: HttpServer) => {
    allowCrossOrigin(app, server)
    tellDamage(app, deps, 'owners')
    requireAppToken(app, deps)
    acceptJsonBodies(app, { limitBytes: MAX_BODY_BYTES, limits: FEW_FIELDS, budget: deps.bodyBudget })

    createTrack(app, deps)
    addPoints(app, deps)
    updateTrack(app, deps)
    finishTrack(app, deps)
    syncTrack(app, deps)
    getTrack(app, deps)
    listPoints(app, deps)
    exportTrack(app, deps)
    listTracks(app, deps)
    deleteTrack(app, deps)
    webhooksApi(app, deps)
    await app.register(async (files: HttpServer) => {
      acceptImportBodies(files, deps.bodyBudget)
      importTracks(files, deps)
    })
    await app.register((phones: HttpServer) => phoneAppsApi(phones, deps))
  })
}
