import { AppError } from '#platform/errors.ts'
import { exportImpossible, trackDamaged } from '../../errors.ts'
import type { ExportFormatName } from '../../schemas/exports.ts'
import type { OperatorTracksStore, TrackPosition } from '../../storage/operator-tracks-store.ts'
import type { TrackRow } from '../../storage/tables.ts'
import { EXPORT_FORMATS } from '../export-formats.ts'
import type { ExportTurns } from '../export-turns.ts'
import { type ExportDeps, openExport } from '../open-export.ts'
import { indexHead, indexLine } from './archive-index.ts'
import { ArchiveNames } from './archive-names.ts'
import type { ArchiveFile } from './write-archive.ts'

/** Tracks per query. */
const TRACKS_PER_PAGE = 100
/** The list of all tracks, at the end of the archive. */
const INDEX_STEM = 'tracks'

export type ArchiveDeps = ExportDeps & {
  operatorTracks: Pick<OperatorTracksStore, 'search' | 'find'>
  exportTurns: ExportTurns
  now: () => number
}

/**
 * Yields a file for each track of an event, by start, and then the list of the tracks. The list names those that the
 * format cannot hold or whose points are damaged, with the reason.
 * @param left aborts when nobody waits for the archive any more
 */
export async function* eventArchive(
  deps: ArchiveDeps,
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
    const name = names.take(row.title, format)
    index.push(indexLine(row, name))
    yield { name, modifiedMs: row.last_point_ms ?? row.start_ms, bytes: deps.exportTurns.bytes(pieces) }
  }
  yield { name: indexName, modifiedMs: deps.now(), bytes: asBytes(index) }
}

async function* tracksOf({ operatorTracks }: ArchiveDeps, eventId: string): AsyncGenerator<TrackRow> {
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
async function openUnlessImpossible(deps: ArchiveDeps, row: TrackRow, format: ExportFormatName, left: AbortSignal) {
  try {
    return await openExport(deps, row, EXPORT_FORMATS[format], 'operator', left)
  } catch (err) {
    if (err instanceof AppError && [exportImpossible.code, trackDamaged.code].includes(err.code)) return err.message
    throw err
  }
}

async function* asBytes(lines: readonly string[]): AsyncGenerator<Buffer> {
  yield Buffer.from(lines.join(''))
}
