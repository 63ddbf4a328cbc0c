import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { type Engine, postgresEngine, sqliteEngine } from './engine.ts'
import type { Figure } from './figure.ts'
import { fillTrack } from './fill-track.ts'
import { describeMachine } from './machine.ts'
import { writeMadeDocument } from './made-document.ts'
import { measurePublications } from './measure-publications.ts'
import { measureDiskUse } from './measures/disk-use.ts'
import { measureLargeBatch } from './measures/large-batch.ts'
import { measureLongTracks } from './measures/long-tracks.ts'
import { measureMemory } from './measures/memory.ts'
import { measureSmallBatches } from './measures/small-batches.ts'
import { reportMarkdown, reportTable } from './report.ts'
import { startProgram } from './start-program.ts'
import type { Target } from './target.ts'

// npm run bench [-- --quick] [-- --engine sqlite] [-- --service tracks] [-- --pdf <file> …]: measures the real program
// over the loopback interface and writes docs/performance.md. --quick shortens everything. With --quick, --engine or
// --service nothing is written. Without --pdf, it publishes a generated document.

const { values: options } = parseArgs({
  options: {
    quick: { type: 'boolean' },
    engine: { type: 'string' },
    service: { type: 'string' },
    pdf: { type: 'string', multiple: true },
  },
})
const effort = options.quick
  ? { rounds: 8, loadRounds: 2, loadMs: 700, diskTracks: 10, memoryPoints: 500_000 }
  : { rounds: 30, loadRounds: 5, loadMs: 1200, diskTracks: 50, memoryPoints: 5_000_000 }

const folder = mkdtempSync(join(tmpdir(), 'bench-'))
process.once('exit', () => rmSync(folder, { recursive: true, force: true, maxRetries: 3 }))
// Servers left running would distort the next run.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1))
const startedMs = performance.now()
const machine = describeMachine(folder)
const results: { engine: string; figures: Figure[] }[] = []
for (const open of [sqliteEngine, postgresEngine]) {
  const engine = await open(folder)
  if (options.engine === undefined || engine.name.toLowerCase().startsWith(options.engine)) {
    process.stdout.write(`\n${engine.name}\n`)
    const figures: Figure[] = []
    for await (const some of measure(engine)) {
      process.stdout.write(reportTable(some))
      figures.push(...some)
    }
    results.push({ engine: engine.name, figures })
  }
  await engine.close()
}
process.stdout.write(`\n${machine.join('\n')}\n${((performance.now() - startedMs) / 1000).toFixed(0)} s in total\n`)
if (!options.quick && options.engine === undefined && options.service === undefined) {
  writeFileSync(new URL('../docs/performance.md', import.meta.url), reportMarkdown(machine, results))
}

async function* measure(engine: Engine): AsyncGenerator<Figure[]> {
  if (options.service !== 'publications') yield* measureTracks(engine)
  if (options.service === 'tracks') return
  const pdfs = options.pdf ?? [writeMadeDocument(folder)]
  yield* measurePublications(engine, { folder, pdfs, rounds: effort.loadRounds, durationMs: effort.loadMs })
}

async function* measureTracks(engine: Engine): AsyncGenerator<Figure[]> {
  const bare = await startProgram('bare', 'bench/servers/bare-server.ts')
  const { rows, rowBytes } = await startRows()
  const server = await engine.start()
  yield await measureLargeBatch(server, rows, effort.rounds)
  yield await measureLongTracks(server, effort.rounds)
  yield await measureSmallBatches(server, { bare, rows, rounds: effort.loadRounds, durationMs: effort.loadMs })
  await Promise.all([server.stop(), bare.stop(), rows.stop()])
  yield [await measureDiskUse(await engine.start(), effort.diskTracks, rowBytes)]
  const fresh = await engine.start()
  yield await measureMemory(fresh, effort.memoryPoints)
  await fresh.stop()
}

/** Starts the service that stores one row per point, and measures the bytes of a row. */
async function startRows(): Promise<{ rows: Target; rowBytes: number }> {
  const dataDir = mkdtempSync(join(folder, 'rows-'))
  const rows = await startProgram('rows', 'bench/servers/rows-server.ts', { DATA_DIR: dataDir })
  const points = 50_000
  await fillTrack(rows, '0', points)
  return { rows, rowBytes: statSync(join(dataDir, 'rows.sqlite')).size / points }
}
