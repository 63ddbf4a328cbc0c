import { readdir, readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { ImportOptions } from './read-arguments.ts'

/** Numbers of files by their outcome. */
export type ImportSummary = { imported: number; known: number; failed: number }

/** Attempts for a file while the server is busy or away, and the wait between them if it names none. */
const MAX_ATTEMPTS = 5
const WAIT_MS = 2_000

type Made = { title: string; points_count: number; points_left_out: number }
/** The body of an answer: the tracks of a file, or a problem. */
type Answer = { tracks?: Made[]; detail?: string; track_id?: string | null }

/**
 * Imports files one after the other, writes a line for each, and a summary at the end. Repeating it
 * is harmless: the server knows what it has.
 * @throws ImportError if there are no files, the token is refused, or the server does not answer
 */
export async function importFiles(
  options: ImportOptions,
  write: (line: string) => void,
  signal: AbortSignal,
): Promise<ImportSummary> {
  const paths = await findRecordings(options.paths)
  const summary = { imported: 0, known: 0, failed: 0 }
  let tracks = 0
  for (const path of paths) {
    if (signal.aborted) break
    const { status, answer } = await send(path, options, signal)
    if (status === 201) {
      summary.imported++
      tracks += answer.tracks!.length
      write(`${path}: ${answer.tracks!.map(said).join('; ')}`)
    } else if (status === 409 && answer.track_id !== undefined) {
      summary.known++
      write(`${path}: imported before, as track ${answer.track_id ?? 'of someone else'}`)
    } else {
      summary.failed++
      write(`${path}: not imported. ${answer.detail ?? `The server answers ${status}.`}`)
    }
  }
  const left = paths.length - summary.imported - summary.known - summary.failed
  write(
    `${counted(summary.imported, 'file')} imported with ${counted(tracks, 'track')}, ${summary.known} imported before, ${summary.failed} failed${left > 0 ? `, ${left} not sent` : ''}`,
  )
  return summary
}

function said({ title, points_count, points_left_out }: Made): string {
  const leftOut = points_left_out === 0 ? '' : `, ${points_left_out} left out`
  return `“${title}”, ${counted(points_count, 'point')}${leftOut}`
}

function counted(count: number, thing: string): string {
  return `${count.toLocaleString('en')} ${thing}${count === 1 ? '' : 's'}`
}

/** Sends a file, again while the server is busy. @throws ImportError for a refused token, and a server that is away */
async function send(path: string, { server, token, userId, activityType }: ImportOptions, signal: AbortSignal) {
  const bytes = await readFile(path)
  const query = new URLSearchParams({
    ...(userId !== undefined && { user_id: userId }),
    ...(activityType !== undefined && { activity_type: activityType }),
  })
  const headers = { 'X-API-Key': token, 'Content-Type': 'application/octet-stream' }
  for (let attempt = 1; ; attempt++) {
    const response = await fetch(`${server}/tracks/import?${query}`, {
      method: 'POST',
      headers,
      body: bytes,
      signal,
    }).catch(
      (error: Error & { cause?: Error }) =>
        new ImportError(`${server} does not answer: ${error.cause?.message ?? error.message}`),
    )
    const isBusy = response instanceof ImportError || response.status === 429 || response.status === 503
    if (isBusy && attempt < MAX_ATTEMPTS && !signal.aborted) {
      const waitSec = response instanceof ImportError ? 0 : Number(response.headers.get('retry-after') ?? 0)
      await sleep(Math.max(waitSec * 1000, WAIT_MS), undefined, { signal }).catch(() => undefined)
      continue
    }
    if (response instanceof ImportError) throw response
    const answer = (await response.json().catch(() => ({}))) as Answer
    if (response.status === 401) throw new ImportError(`The server refuses the token: ${answer.detail}`)
    return { status: response.status, answer }
  }
}

/** Names of recordings in a folder. A file that is named itself is taken whatever it is called. */
const RECORDING = /\.(gpx|tcx|fit|kml|geojson)(\.gz)?$/i

/**
 * Returns the files that are named, and the recordings in the folders that are named and below them, in order.
 * @throws ImportError for a path that does not exist, and if there is no recording at all
 */
async function findRecordings(paths: readonly string[]): Promise<string[]> {
  const found: string[] = []
  for (const path of paths) found.push(...(await recordingsAt(path)))
  if (found.length === 0) throw new ImportError(`There is no GPX, TCX, FIT, KML or GeoJSON file in ${paths.join(', ')}`)
  return [...new Set(found)]
}

async function recordingsAt(path: string): Promise<string[]> {
  const isFolder = await stat(path).then(
    (stats) => stats.isDirectory(),
    (error: Error) => {
      throw new ImportError(`${path} cannot be read: ${error.message}`)
    },
  )
  if (!isFolder) return [path]
  const entries = await readdir(path, { recursive: true, withFileTypes: true })
  return entries
    .filter((entry) => entry.isFile() && RECORDING.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name))
    .sort()
}

/** A reason why nothing can be imported. Only its message is shown. */
export class ImportError extends Error {
  override name = 'ImportError'
}
