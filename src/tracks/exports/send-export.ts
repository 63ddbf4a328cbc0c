import { Readable } from 'node:stream'
import { setImmediate as turnOfEventLoop } from 'node:timers/promises'
import type { FastifyReply, FastifyRequest } from 'fastify'
import Type from 'typebox'
import { notAcceptable, rateLimited } from '#platform/basics/errors.ts'
import { disconnectSignal } from '#platform/http/client.ts'
import { streamed } from '#platform/http/http-server.ts'
import type { SendFile } from '#platform/http/limited-files.ts'
import { preferredMediaType } from '#platform/http/negotiation.ts'
import type { ApiDeps } from '../api/deps.ts'
import { exportImpossible, trackNotFound } from '../model/errors.ts'
import { type NamedTrack, trackName, withRunnerNames } from '../model/runner-names.ts'
import type { TrackRow } from '../model/tables.ts'
import { decodePauses } from '../model/track-state.ts'
import { decodeChunk } from '../points/chunks/chunk-codec.ts'
import { type AltitudeReference, aboveSeaLevel } from '../points/sea-level.ts'
import { readStoredPoints } from '../points/storage/chunks-store.ts'
import { requireUndamaged } from '../points/storage/damage.ts'
import type { CallerKind } from '../points/turns.ts'
import { type StatisticsJson, withGivenFigures } from '../statistics/statistics.ts'
import { EXPORT_FORMATS, type ExportFormat, type ExportFormatName, ExportQuery } from './export-formats.ts'
import type { ExportedTrack, StoredPage, TrackTotals } from './exported-track.ts'

const FORMAT_NAMES = Object.keys(EXPORT_FORMATS) as ExportFormatName[]
const MEDIA_TYPES = FORMAT_NAMES.map((name) => EXPORT_FORMATS[name].mediaType)

/** Parts of a schema that all routes share which send a track as a file. */
export const EXPORT_ROUTE = {
  description:
    'Streams every stored point, also those that statistics leave out, with all numbers as they were sent, as far as the format can hold them. Altitudes are above sea level if it is known what they are above. The file is an attachment named after the title.',
  querystring: ExportQuery,
  produces: MEDIA_TYPES,
  problems: [trackNotFound, notAcceptable, exportImpossible, rateLimited],
  response: { 200: streamed(Type.String({ description: 'The file.' })) },
}

/** The one who asks for a file: the key of the limit, and the queue for figures that have to be computed. */
type Caller = { key: string; kind: CallerKind }

/** Returns the format that the address names, else the one that `Accept` prefers. @throws notAcceptable */
function requestedFormat({ headers, query }: FastifyRequest): ExportFormatName {
  const { format } = query as ExportQuery
  if (format !== undefined) return format
  const preferred = preferredMediaType(headers.accept, MEDIA_TYPES)
  if (preferred === undefined) {
    throw notAcceptable({ detail: `Tracks are available as ${MEDIA_TYPES.join(', ')}, or with the parameter format.` })
  }
  return FORMAT_NAMES[MEDIA_TYPES.indexOf(preferred)]
}

/** Sends a track as a file in the requested format. */
export async function sendExport(
  deps: ExportDeps,
  request: FastifyRequest,
  reply: FastifyReply,
  { row, caller, sendFile }: { row: TrackRow; caller: Caller; sendFile: SendFile },
): Promise<FastifyReply> {
  const format = requestedFormat(request)
  const [named] = await withRunnerNames(deps.db, [row])
  const pieces = await openExport(deps, named, EXPORT_FORMATS[format], caller.kind, disconnectSignal(reply))
  reply.header('vary', 'Accept')
  return sendFile(reply, {
    caller: caller.key,
    contentType: EXPORT_FORMATS[format].contentType,
    stem: trackName(named),
    extension: format,
    open: () => Readable.from(deps.exportScheduler.bytes(pieces), { objectMode: false }),
  })
}

/** Everything that exports are built from. */
export type ExportDeps = ApiDeps & { exportScheduler: ExportScheduler }

/**
 * Returns the pieces of a track's file. All points go in, also those that statistics leave out.
 * @param left aborts when nobody waits for the file any more
 * @throws trackDamaged; exportImpossible if the format cannot hold the track, unavailable if too many computations wait
 */
export async function openExport(
  deps: ExportDeps,
  row: TrackRow & NamedTrack,
  { hasTotals, refusal, write }: ExportFormat,
  caller: CallerKind,
  left?: AbortSignal,
): Promise<AsyncGenerator<string | Uint8Array>> {
  if (refusal !== undefined) {
    const firstPointMs = await deps.operatorTracks.firstPointMs(row.id)
    const detail = refusal({ pointCount: row.point_count, firstPointMs, lastPointMs: row.last_point_ms })
    if (detail !== undefined) throw exportImpossible({ detail })
  }
  await requireUndamaged(deps.db, row.id)
  return write({
    id: row.id,
    title: trackName(row),
    activityType: row.activity_type,
    startMs: row.start_ms,
    lastPointMs: row.last_point_ms,
    pointCount: row.point_count,
    pauses: decodePauses(row.pauses),
    totals: hasTotals ? await totalsOf(deps, row, caller, left) : {},
    pages: allPoints(deps, row),
  } satisfies ExportedTrack)
}

/** Returns the figures that the API shows: given ones before computed ones. */
async function totalsOf(deps: ExportDeps, row: TrackRow, caller: CallerKind, left?: AbortSignal): Promise<TrackTotals> {
  const { statistics } = await deps.currentStatistics(row, caller, left)
  const shown = withGivenFigures(statistics, row.given_stats)
  return {
    distanceMeters: shown.distance_meters,
    durationSec: shown.duration_sec,
    pausedSec: shown.paused_time_sec,
    ascentMeters: shown.elevation_gain_m,
    descentMeters: shown.elevation_loss_m,
    ascentInterval: shown.elevation_gain_interval_m,
    descentInterval: shown.elevation_loss_interval_m,
    meanSpeedMps: shown.mean_speed_mps,
    maxSpeedMps: shown.max_speed_mps,
  }
}

/**
 * Reads all points. If the track is deleted meanwhile, the file breaks off instead of ending as if it were complete.
 */
async function* allPoints({ db }: ExportDeps, row: TrackRow): AsyncGenerator<StoredPage> {
  const reference = row.altitude_reference ?? referenceByHeights(row)
  let count = 0
  for await (const { bytes, from, to } of readStoredPoints(db, row.id, 0, Number.POSITIVE_INFINITY)) {
    yield { from, to, unpack: () => aboveSeaLevel(decodeChunk(bytes), reference) }
    count += to - from
  }
  if (count < row.point_count) throw new Error(`track ${row.id} gave ${count} points of ${row.point_count}`)
}

/** Returns the zero of altitudes that the statistics found by known heights. A later point hardly changes it. */
function referenceByHeights({ computed_stats }: TrackRow): AltitudeReference | null {
  const method: StatisticsJson['method'] | undefined =
    computed_stats === null ? undefined : JSON.parse(computed_stats).method
  const isFound = ['course', 'terrain'].includes(method?.altitude_reference_source ?? '')
  if (!isFound || method?.altitude_reference === 'mixed') return null
  return method?.altitude_reference ?? null
}

/** Pieces are joined up to this length: sending one costs more than its bytes. */
const MIN_BUFFER_BYTES = 65_536

/**
 * Lets the exports of this process format their pieces in turn, one in each turn of the event loop, so that the
 * requests of phones wait for one piece at most, however many exports run.
 */
export class ExportScheduler {
  #last: Promise<unknown> = Promise.resolve()

  /** Yields the pieces as bytes, each formatted when it is its turn. */
  async *bytes(pieces: AsyncIterable<string | Uint8Array>): AsyncGenerator<Buffer> {
    let joined: Uint8Array[] = []
    let length = 0
    for await (const piece of pieces) {
      const bytes = typeof piece === 'string' ? Buffer.from(piece) : piece
      joined.push(bytes)
      length += bytes.length
      if (length >= MIN_BUFFER_BYTES) {
        yield Buffer.concat(joined, length)
        joined = []
        length = 0
      }
      await this.#next()
    }
    if (length > 0) yield Buffer.concat(joined, length)
  }

  async #next(): Promise<void> {
    const turn = this.#last.then(() => turnOfEventLoop())
    this.#last = turn
    await turn
  }
}
