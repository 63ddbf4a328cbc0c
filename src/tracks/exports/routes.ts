import Type from 'typebox'
import { rateLimited } from '#platform/basics/errors.ts'
import { disconnectSignal } from '#platform/http/client.ts'
import { fileStem } from '#platform/http/content-disposition.ts'
import { type HttpServer, streamed } from '#platform/http/http-server.ts'
import { limitedFiles } from '#platform/http/limited-files.ts'
import { type ArchiveFile, writeArchive } from '#platform/http/zip-archive.ts'
import type { TrackDoor } from '../api/doors.ts'
import { eventNotFound, exportImpossible, trackDamaged } from '../model/errors.ts'
import type { TrackPosition } from '../model/operator-tracks-store.ts'
import { trackName } from '../model/runner-names.ts'
import { EventParams } from '../model/schema-fields.ts'
import type { TrackRow } from '../model/tables.ts'
import { indexHead, indexLine } from './csv.ts'
import { ArchiveQuery, EXPORT_FORMATS, type ExportFormatName } from './export-formats.ts'
import { EXPORT_ROUTE, type ExportDeps, openExport, sendExport } from './send-export.ts'

const EXPORT = {
  app: { operationId: 'exportTrack', permission: 'read' },
  operator: { operationId: 'operatorExportTrack' },
}

/**
 * Exports at once, of all callers and of each: of events by phones and programs, and of operators. They take turns in
 * formatting, and hold a few megabytes.
 */
const LIMITS = { app: { total: 16, perCaller: 8 }, operator: { total: 8, perCaller: 4 } }

/** Queues for figures that have to be computed. */
const CALLER_KINDS = { app: 'phone', operator: 'operator' } as const

/** GET /tracks/:id/export, GET /operator/tracks/:id/export */
export function exportTrack(app: HttpServer, door: TrackDoor, deps: ExportDeps) {
  const sendFile = limitedFiles(LIMITS[door.audience], 'tracks')
  app.get(
    `${door.path}/export`,
    {
      schema: { summary: 'Download a track', ...EXPORT[door.audience], ...door.schema, ...EXPORT_ROUTE },
      // The file is written piece by piece. The schema describes it.
      serializerCompiler: () => JSON.stringify,
    },
    async (request, reply) => {
      const row = await door.open(request)
      const caller = { key: door.callerOf(request), kind: CALLER_KINDS[door.audience] }
      return await sendExport(deps, request, reply, { row, caller, sendFile })
    },
  )
}

/** Archives at once, of all operators and of each. They take hours for very large events. */
const EXPORT_EVENT_LIMITS = { total: 4, perCaller: 2 }

/** GET /operator/events/:id/export */
export function exportEvent(app: HttpServer, deps: ExportDeps) {
  const sendFile = limitedFiles(EXPORT_EVENT_LIMITS, 'tracks')
  app.get(
    '/operator/events/:id/export',
    {
      schema: {
        operationId: 'operatorExportEvent',
        summary: 'Download all tracks of an event',
        description:
          'Streams a ZIP archive with a file for each track, named after its title, and `tracks.csv`, which lists them. It also names the tracks that the format cannot hold: FIT and TCX need points.',
        params: EventParams,
        querystring: ArchiveQuery,
        produces: ['application/zip'],
        problems: [eventNotFound, rateLimited],
        response: { 200: streamed(Type.String({ description: 'The archive.' })) },
      },
      // The archive is written piece by piece. The schema describes it.
      serializerCompiler: () => JSON.stringify,
    },
    async ({ params, query, operatorId }, reply) => {
      const event = await deps.events.get(params.id)
      const left = disconnectSignal(reply)
      return sendFile(reply, {
        caller: operatorId,
        contentType: 'application/zip',
        stem: event.name,
        extension: 'zip',
        open: () => writeArchive(eventArchive(deps, params.id, query.format ?? 'gpx', left)),
      })
    },
  )
}

/** Tracks per query. */
const TRACKS_PER_PAGE = 100
/** The list of all tracks, at the end of the archive. */
const INDEX_STEM = 'tracks'

/**
 * Yields a file for each track of an event, by start, and then the list of the tracks. The list names those that the
 * format cannot hold or whose points are damaged, with the reason.
 * @param left aborts when nobody waits for the archive any more
 */
async function* eventArchive(
  deps: ExportDeps,
  eventId: string,
  format: ExportFormatName,
  left: AbortSignal,
): AsyncGenerator<ArchiveFile> {
  const names = new ArchiveNames()
  const indexName = names.take(INDEX_STEM, 'csv')
  const index = [indexHead()]
  for await (const { id } of tracksOf(deps, eventId)) {
    // A track may have been changed or deleted since its page was read.
    const row = await deps.operatorTracks.find(id)
    if (row === undefined) continue
    const pieces = await openUnlessImpossible(deps, row, format, left)
    if (typeof pieces === 'string') {
      index.push(indexLine(row, undefined, pieces))
      continue
    }
    const name = names.take(trackName(row), format)
    index.push(indexLine(row, name))
    yield { name, modifiedMs: row.last_point_ms ?? row.start_ms, bytes: deps.exportScheduler.bytes(pieces) }
  }
  yield { name: indexName, modifiedMs: deps.now(), bytes: asBytes(index) }
}

async function* tracksOf({ operatorTracks }: ExportDeps, eventId: string): AsyncGenerator<TrackRow> {
  let after: TrackPosition | undefined
  while (true) {
    const page = { sort: 'start', descending: false, after, limit: TRACKS_PER_PAGE } as const
    const rows = await operatorTracks.search(eventId, {}, page)
    yield* rows
    const last = rows.at(-1)
    if (last === undefined || rows.length < TRACKS_PER_PAGE) return
    after = { key: last.sort_key, id: last.id }
  }
}

/** Returns the pieces of a track's file, or the reason why there is none: its format, or damaged points. */
async function openUnlessImpossible(deps: ExportDeps, row: TrackRow, format: ExportFormatName, left: AbortSignal) {
  try {
    return await openExport(deps, row, EXPORT_FORMATS[format], 'operator', left)
  } catch (err) {
    if (exportImpossible.is(err) || trackDamaged.is(err)) return err.message
    throw err
  }
}

async function* asBytes(lines: readonly string[]): AsyncGenerator<Buffer> {
  yield Buffer.from(lines.join(''))
}

/** Leaves room for a number and the extension within the 255 bytes of most file systems. */
const MAX_STEM_BYTES = 200
/** Characters that Windows does not allow in names. The separators of folders are gone by now. */
const FORBIDDEN = /[<>:|?*]/g
/** Names of devices on Windows, with any extension. */
const DEVICES = /^(con|prn|aux|nul|com\d|lpt\d)(?=\.|$)/i

/**
 * Gives names to files of one folder, so that none equals another on any file system: upper and lower case, and the
 * ways to spell an accent in Unicode, make no difference.
 */
export class ArchiveNames {
  /** The names so far, folded. */
  readonly #taken = new Set<string>()
  /** The number to try next, by the folded name without a number. */
  readonly #next = new Map<string, number>()

  /** Returns a name for any text, such as a title: `Lake.gpx`, then `Lake (2).gpx`. */
  take(text: string, extension: string): string {
    const stem = archiveStem(text)
    const plain = folded(`${stem}.${extension}`)
    let number = this.#next.get(plain) ?? 1
    let name: string
    do {
      name = `${stem}${number === 1 ? '' : ` (${number})`}.${extension}`
      number++
    } while (this.#taken.has(folded(name)))
    this.#next.set(plain, number)
    this.#taken.add(folded(name))
    return name
  }
}

function archiveStem(text: string): string {
  const safe = fileStem(text).normalize('NFC').replace(FORBIDDEN, '_').replace(DEVICES, '_$1')
  // A leading point hides a file, and Windows drops points and spaces at the end.
  const visible = firstBytes(safe, MAX_STEM_BYTES)
    .replace(/^\.+/, '_')
    .replace(/(?<![. ])[. ]+$/, '')
  return visible || '_'
}

/** Cuts between code points. */
function firstBytes(text: string, count: number): string {
  let length = 0
  let kept = ''
  for (const character of text) {
    length += Buffer.byteLength(character)
    if (length > count) break
    kept += character
  }
  return kept
}

/** Maps names that some file system takes for equal to the same text. */
function folded(name: string): string {
  return name.normalize('NFKC').toUpperCase().toLowerCase()
}
