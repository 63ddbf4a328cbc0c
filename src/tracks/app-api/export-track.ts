import type { HttpServer } from '#platform/http/http-server.ts'
import type { ExportTurns } from '../exports/export-turns.ts'
import type { ExportDeps } from '../exports/open-export.ts'
import { EXPORT_ROUTE, limitedFiles, sendExport } from '../exports/send-export.ts'
import { TrackParams } from '../schemas/track.ts'
import type { TracksStore } from '../storage/tracks-store.ts'

/** Exports of phones and programs at once, of all and of each event. */
const LIMITS = { total: 16, perCaller: 8 }

type Deps = ExportDeps & { tracks: Pick<TracksStore, 'get'>; exportTurns: ExportTurns }

/** GET /tracks/:id/export */
export function exportTrack(app: HttpServer, deps: Deps) {
  const sendFile = limitedFiles(LIMITS)
  app.get(
    '/tracks/:id/export',
    {
      schema: {
        operationId: 'exportTrack',
        summary: 'Download a track',
        tags: ['Tracks'],
        permission: 'read',
        params: TrackParams,
        ...EXPORT_ROUTE,
      },
      // The file is written piece by piece. The schema describes it.
      serializerCompiler: () => JSON.stringify,
    },
    async (request, reply) => {
      const row = await deps.tracks.get(request.appToken, request.params.id)
      const caller = { key: request.appToken.eventId, asker: 'phone' } as const
      return await sendExport(deps, request, reply, { row, caller, sendFile })
    },
  )
}
