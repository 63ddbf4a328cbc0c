import type { HttpServer } from '#platform/http/http-server.ts'
import { trackNotFound } from '../../errors.ts'
import type { ExportTurns } from '../../exports/export-turns.ts'
import type { ExportDeps } from '../../exports/open-export.ts'
import { EXPORT_ROUTE, limitedFiles, sendExport } from '../../exports/send-export.ts'
import { TrackParams } from '../../schemas/track.ts'
import type { OperatorTracksStore } from '../../storage/operator-tracks-store.ts'

/** Exports of operators at once, of all and of each. They take turns in formatting, and hold a few megabytes. */
const LIMITS = { total: 8, perCaller: 4 }

type Deps = ExportDeps & {
  operatorTracks: Pick<OperatorTracksStore, 'find'>
  exportTurns: ExportTurns
}

/** GET /operator/tracks/:id/export */
export function exportTrack(app: HttpServer, deps: Deps) {
  const sendFile = limitedFiles(LIMITS)
  app.get(
    '/operator/tracks/:id/export',
    {
      config: { operator: { role: 'viewer', effect: 'reads' } },
      schema: {
        operationId: 'operatorExportTrack',
        summary: 'Download a track',
        tags: ['Operator'],
        params: TrackParams,
        ...EXPORT_ROUTE,
      },
      // The file is written piece by piece. The schema describes it.
      serializerCompiler: () => JSON.stringify,
    },
    async (request, reply) => {
      const row = await deps.operatorTracks.find(request.params.id)
      if (row === undefined) throw trackNotFound()
      const caller = { key: request.operatorId, asker: 'operator' } as const
      return await sendExport(deps, request, reply, { row, caller, sendFile })
    },
  )
}
