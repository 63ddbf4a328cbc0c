import { fileStem } from '#platform/http/content-disposition.ts'
import type { ArchiveFile } from '#platform/http/zip-archive.ts'
import { exportImpossible, trackDamaged } from '../model/errors.ts'
import type { TrackPosition } from '../model/operator-tracks-store.ts'
import { trackName } from '../model/runner-names.ts'
import type { TrackRow } from '../model/tables.ts'
import { indexHead, indexLine } from './csv.ts'
import { EXPORT_FORMATS, type ExportFormatName } from './export-formats.ts'
import { type ExportDeps, openExport } from './send-export.ts'

/** Tracks per query. */
const TRACKS_PER_PAGE = 100
/** The list of all tracks, at the end of the archive. */
const INDEX_STEM = 'tracks'

/**
 * Yields a file for each track of an event, by start, and then the list of the tracks. The list names those that the
 * format cannot hold or whose points are damaged, with the reason.
 * @param left aborts when nobody waits for the archive any more
 */
export async function* eventArchive(
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
