import { Readable } from 'node:stream'
import type { Kysely } from 'kysely'
import Type from 'typebox'
import { rateLimited, unavailable } from '#platform/errors.ts'
import { streamed } from '#platform/http/answer-schemas.ts'
import type { HttpServer } from '#platform/http/http-server.ts'
import { ConnectionLimit } from '#platform/http/limits/connection-limit.ts'
import { contentDisposition } from '#platform/http/ranges/content-disposition.ts'
import { decodePauses } from '../../domain/pauses.ts'
import { trackNotFound } from '../../errors.ts'
import type { ExportedTrack } from '../../exports/exported-track.ts'
import { writeCsv } from '../../exports/write-csv.ts'
import { writeGeojson } from '../../exports/write-geojson.ts'
import { writeGpx } from '../../exports/write-gpx.ts'
import { ExportQuery } from '../../schemas/operator-track.ts'
import { TrackParams } from '../../schemas/track.ts'
import { readPoints } from '../../storage/chunks-store.ts'
import type { OperatorTracksStore } from '../../storage/operator-tracks-store.ts'
import type { TrackRow, TracksTables } from '../../storage/tables.ts'

type Format = { contentType: string; write(track: ExportedTrack): AsyncGenerator<string> }

const FORMATS: Record<ExportQuery['format'], Format> = {
  gpx: { contentType: 'application/gpx+xml; charset=utf-8', write: writeGpx },
  geojson: { contentType: 'application/geo+json; charset=utf-8', write: writeGeojson },
  csv: { contentType: 'text/csv; charset=utf-8; header=present', write: writeCsv },
}

/** Exports at once. Each formats its points between the requests of phones, and takes a few megabytes. */
const MAX_EXPORTS = 8
/** Exports of one operator at once, so that none is left without. */
const MAX_EXPORTS_PER_OPERATOR = 4
/** Value of `Retry-After` for a refused export. */
const RETRY_AFTER_SEC = 10

type Deps = {
  db: Kysely<TracksTables>
  operatorTracks: Pick<OperatorTracksStore, 'find'>
}

/** GET /operator/tracks/:id/export */
export function exportTrack(app: HttpServer, deps: Deps) {
  const exports = new ConnectionLimit({ total: MAX_EXPORTS, perCaller: MAX_EXPORTS_PER_OPERATOR })
  app.get(
    '/operator/tracks/:id/export',
    {
      schema: {
        operationId: 'operatorExportTrack',
        summary: 'Download a track',
        description:
          'Streams every stored point, also those that statistics leave out, with all numbers as they were sent.',
        tags: ['Operator'],
        params: TrackParams,
        querystring: ExportQuery,
        produces: Object.values(FORMATS).map(({ contentType }) => contentType.split(';')[0]),
        problems: [trackNotFound, rateLimited],
        response: { 200: streamed(Type.String({ description: 'The file.' })) },
      },
      // The file is written piece by piece. The schema describes it.
      serializerCompiler: () => JSON.stringify,
    },
    async ({ params, query, operatorId }, reply) => {
      const row = await deps.operatorTracks.find(params.id)
      if (row === undefined) throw trackNotFound()
      const { contentType, write } = FORMATS[query.format]
      const release = exports.hold(operatorId)
      if (release === undefined) throw tooManyExports(exports.isFull)
      reply.raw.once('close', release)
      const pieces = write({
        id: row.id,
        title: row.title,
        activityType: row.activity_type,
        startMs: row.start_ms,
        pauses: decodePauses(row.pauses),
        pages: allPoints(deps, row),
      })
      reply.type(contentType)
      reply.header('content-disposition', contentDisposition('attachment', row.title, query.format))
      return reply.send(Readable.from(asBytes(pieces), { objectMode: false }))
    },
  )
}

function tooManyExports(isFull: boolean) {
  const headers = { 'retry-after': String(RETRY_AFTER_SEC) }
  return isFull
    ? unavailable({ detail: 'Too many tracks are being downloaded. Try again later.', headers })
    : rateLimited({ detail: 'You are downloading too many tracks at once. Try again later.', headers })
}

/** Reads all points. If the track is deleted meanwhile, the file breaks off instead of ending as if it were complete. */
async function* allPoints({ db }: Deps, row: TrackRow) {
  let count = 0
  for await (const page of readPoints(db, row.id, 0, Number.POSITIVE_INFINITY)) {
    yield page
    count += page.to - page.from
  }
  if (count < row.point_count) throw new Error(`track ${row.id} gave ${count} points of ${row.point_count}`)
}

/** Small pieces are joined up to this length: sending one costs more than its bytes. */
const MIN_PIECE_LENGTH = 65_536

async function* asBytes(pieces: AsyncIterable<string>): AsyncGenerator<Buffer> {
  let text = ''
  for await (const piece of pieces) {
    text += piece
    if (text.length < MIN_PIECE_LENGTH) continue
    yield Buffer.from(text)
    text = ''
  }
  yield Buffer.from(text)
}
