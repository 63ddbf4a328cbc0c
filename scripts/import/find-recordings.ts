import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { ImportError } from './import-error.ts'

/** Names of recordings in a folder. A file that is named itself is taken whatever it is called. */
const RECORDING = /\.(gpx|tcx|fit|kml|geojson)(\.gz)?$/i

/**
 * Returns the files that are named, and the recordings in the folders that are named and below them, in order.
 * @throws ImportError for a path that does not exist, and if there is no recording at all
 */
export async function findRecordings(paths: readonly string[]): Promise<string[]> {
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
