// npm run accuracy -- [folder] : compares the service's statistics with those of the recording devices.
// Prints the tables. For the project's own recordings it also writes them into docs/accuracy.md.

import { readdir, readFile, writeFile } from 'node:fs/promises'
import { basename, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { deviceFigures, plainSum } from './accuracy/comparable.ts'
import { courseClimbs, courseGrid, terrainGrid } from './accuracy/course-grid.ts'
import {
  both,
  type Degradation,
  thinned,
  withAltitudeNoise,
  withExcursions,
  withoutSpeeds,
  withPositionNoise,
} from './accuracy/degrade.ts'
import { eventGrid } from './accuracy/event-grid.ts'
import { noiseGrid } from './accuracy/noise-grid.ts'
import { type ImportedFile, type RecordingService, startRecordingService } from './accuracy/recording-service.ts'
import { degradedTable, type Figures, fileTables, type Measured } from './accuracy/report.ts'
import type { ActivityFile, ActivityPoint } from './activity-file/activity-file.ts'
import { readActivityFile } from './activity-file/read-activity-file.ts'

const RECORDINGS = fileURLToPath(new URL('../test/data/tracks', import.meta.url))
const DOCUMENT = fileURLToPath(new URL('../docs/accuracy.md', import.meta.url))
const ACTIVITY_FILE = /\.(fit|gpx|tcx)(\.gz)?$/i

const DEGRADATIONS: readonly (readonly [string, Degradation])[] = [
  ['as recorded', (points) => [...points]],
  ['without the speeds of the points', withoutSpeeds],
  ['without speeds, positions ± 3 m', withPositionNoise({ meters: 3, overSec: 20, aloneMeters: 0.3 })],
  ['without speeds, each position ± 2 m', withPositionNoise({ meters: 0, overSec: 20, aloneMeters: 2 })],
  ['without speeds, a point every 5 s', both(withoutSpeeds, thinned(5))],
  ['without speeds, a point every 10 s', both(withoutSpeeds, thinned(10))],
  ['without speeds, a point every 30 s', both(withoutSpeeds, thinned(30))],
  ['a point every 5 s', thinned(5)],
  ['a point every 10 s', thinned(10)],
  ['a point every 30 s', thinned(30)],
  ['altitudes ± 2 m', withAltitudeNoise(2, 20)],
  ['altitudes ± 4 m', withAltitudeNoise(4, 30)],
  ['a point every 5 s, altitudes ± 4 m', both(thinned(5), withAltitudeNoise(4, 30))],
  ['excursions of 80 m over 1 point', withExcursions(80, 1)],
  ['excursions of 3,000 m over 1 point', withExcursions(3000, 1)],
  ['excursions of 300 m over 10 points', withExcursions(300, 10)],
  ['excursions of 1,000 m over 20 points', withExcursions(1000, 20)],
]

/** A recording: what the server has imported, and what its device says about it. */
type NamedFile = { name: string; imported: ImportedFile; device: ActivityFile }

async function main(folder: string): Promise<void> {
  await using service = await startRecordingService()
  const files = await importFolder(service, folder)
  const perFile = fileTables(files.map((file) => measured(file, file.imported.points, file.imported.ours)))
  const groups: [string, Measured[]][] = []
  for (const [title, degrade] of DEGRADATIONS) groups.push([title, await measureAll(service, files, degrade)])
  const sections = {
    files: perFile,
    degraded: degradedTable(groups),
    ...noiseGrid(files),
    course: courseGrid(files),
    terrain: terrainGrid(files),
    event: eventGrid(files),
    'course-climb': courseClimbs(files),
  }
  process.stdout.write(`${Object.values(sections).join('\n\n')}\n`)
  if (relative(folder, RECORDINGS) === '')
    await writeFile(DOCUMENT, withSections(await readFile(DOCUMENT, 'utf8'), sections))
}

/** Imports the activity files of a folder. Reports and skips those that the server refuses. */
async function importFolder(service: RecordingService, folder: string): Promise<NamedFile[]> {
  const files: NamedFile[] = []
  for (const name of (await readdir(folder)).filter((entry) => ACTIVITY_FILE.test(entry)).sort()) {
    try {
      const imported = await service.importFile(join(folder, name))
      files.push({ name: basename(name), imported, device: await readActivityFile(join(folder, name)) })
    } catch (error) {
      process.stderr.write(`skipped ${name}: ${(error as Error).message}\n`)
    }
  }
  return files
}

async function measureAll(service: RecordingService, files: readonly NamedFile[], degrade: Degradation) {
  const all: Measured[] = []
  for (const file of files) {
    const points = degrade(file.imported.points)
    all.push(measured(file, points, await service.measure({ ...file.imported, points })))
  }
  return all
}

function measured({ name, device }: NamedFile, points: readonly ActivityPoint[], ours: Figures): Measured {
  return { name, ours, plain: plainSum(points), device: deviceFigures(device) }
}

/** Replaces the text between `<!-- name -->` and `<!-- /name -->` in a document. */
function withSections(document: string, sections: Record<string, string>): string {
  return Object.entries(sections).reduce((text, [name, content]) => {
    const between = new RegExp(`(<!-- ${name} -->)[^]*(<!-- /${name} -->)`)
    return text.replace(between, (_, start, end) => `${start}\n${content}\n${end}`)
  }, document)
}

await main(process.argv[2] ?? RECORDINGS)
