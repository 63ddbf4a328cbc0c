import { allowCrossOrigin } from '#platform/http/cross-origin.ts'
import type { HttpServer } from '#platform/http/http-server.ts'
import { acceptJsonBodies } from '#platform/http/json-body.ts'
import { demandAppToken } from './authentication.ts'
import type { TracksDeps } from './deps.ts'
import { addPoints } from './routes/add-points.ts'
import { createTrack } from './routes/create-track.ts'
import { deleteTrack } from './routes/delete-track.ts'
import { finishTrack } from './routes/finish-track.ts'
import { getTrack } from './routes/get-track.ts'
import { listPoints } from './routes/list-points.ts'
import { listTracks } from './routes/list-tracks.ts'
import { syncTrack } from './routes/sync-track.ts'
import { updateTrack } from './routes/update-track.ts'

/** Largest JSON body, decoded. */
const MAX_BODY_BYTES = 64 * 1_048_576

/** The track recording API: what phones talk to. */
export async function tracksApi(server: HttpServer, deps: TracksDeps): Promise<void> {
  await server.register(async (plugin) => {
    const app = plugin as unknown as HttpServer
    allowCrossOrigin(app, server)
    demandAppToken(app, deps)
    acceptJsonBodies(app, { limitBytes: MAX_BODY_BYTES, budget: deps.bodyBudget })

    createTrack(app, deps)
    addPoints(app, deps)
    updateTrack(app, deps)
    finishTrack(app, deps)
    syncTrack(app, deps)
    getTrack(app, deps)
    listPoints(app, deps)
    listTracks(app, deps)
    deleteTrack(app, deps)
  })
}
