import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { writeMadeDocument } from './load/made-document.ts'
import { allParts } from './parts/all-parts.ts'
import type { Bench, Effort, Part } from './parts/part.ts'
import { postgresEngine, sqliteEngine } from './program/engine.ts'
import { describeMachine } from './program/machine.ts'
import { describeTools } from './program/page-tools.ts'
import { killServers, ROOT, startCommand } from './program/start-program.ts'
import type { Figure, RunResult } from './report/figure.ts'
import { performancePage } from './report/performance-page.ts'
import { reportTable } from './report/report-table.ts'

export const USAGE = `npm run bench [-- OPTIONS]: measures the real program over the loopback interface.

  --only NAME    one part; may be repeated: ${allParts.map(({ name }) => name).join(', ')}
  --engine NAME  sqlite or postgresql
  --pdf FILE     a document to publish; may be repeated. Without it, a generated one
  --quick        shortens everything
  --full         growth up to 50 million points
  --json FILE    stores the results; partial runs with the same file are merged. With docs/performance.json, docs/performance.md
                 is written, too
  --root FOLDER  measures the program of another checkout, which must be set up
  --compare BEFORE.json AFTER.json
                 prints two stored runs side by side and measures nothing

A whole run, without --only, --engine, --quick and --root, writes docs/performance.md and docs/performance.json.
`

export type Options = {
  quick?: boolean
  full?: boolean
  only?: string[]
  engine?: string
  pdf?: string[]
  root?: string
  json?: string
}

const PAGE = new URL('../docs/performance.md', import.meta.url)
const STORED = new URL('../docs/performance.json', import.meta.url)

const QUICK: Effort = {
  rounds: 8,
  loadRounds: 2,
  loadMs: 700,
  diskTracks: 10,
  memoryPoints: 500_000,
  growth: { tracks: 1_000, points: 100_000, spectators: 100, publications: 100 },
}
const WHOLE: Effort = {
  rounds: 30,
  loadRounds: 5,
  loadMs: 1200,
  diskTracks: 50,
  memoryPoints: 5_000_000,
  growth: { tracks: 100_000, points: 5_000_000, spectators: 5_000, publications: 10_000 },
}
const FULL: Effort = { ...WHOLE, growth: { ...WHOLE.growth, points: 50_000_000 } }

/** Measures what the options select, prints it, and stores it. */
export async function runBench(options: Options): Promise<void> {
  const parts = selectParts(options.only)
  const folder = mkdtempSync(join(tmpdir(), 'bench-'))
  process.once('exit', () => rmSync(folder, { recursive: true, force: true, maxRetries: 3 }))
  // Servers left running would distort the next run.
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1))
  const startedMs = performance.now()
  const root = resolve(options.root ?? ROOT)
  const run: RunResult = {
    commit: commitOf(root),
    date: new Date().toISOString().slice(0, 16),
    machine: [...describeMachine(folder), await describeTools()],
    options: [options.quick ? '--quick' : '', options.full ? '--full' : ''].join(' ').trim(),
    ...(await measureAll(options, parts, { folder, root })),
  }
  process.stdout.write(
    `\n${run.machine.join('\n')}\n${((performance.now() - startedMs) / 1000).toFixed(0)} s in total\n`,
  )
  if (options.json !== undefined) storeMerged(options.json, run)
  if (options.only ?? options.engine ?? options.quick ?? options.root) return
  writeFileSync(STORED, `${JSON.stringify(run, null, 2)}\n`)
  writePage(run)
}

function writePage(run: RunResult): void {
  writeFileSync(PAGE, performancePage(run, new Map(allParts.map(({ name, title }) => [name, title]))))
}

function selectParts(names: readonly string[] | undefined): readonly Part[] {
  const unknown = names?.find((name) => !allParts.some((part) => part.name === name))
  if (unknown !== undefined) throw new Error(`No part is named ${unknown}.\n\n${USAGE}`)
  return allParts.filter(({ name }) => names?.includes(name) ?? true)
}

type Place = { folder: string; root: string }
type Measured = Pick<RunResult, 'results' | 'failures'>

async function measureAll(options: Options, parts: readonly Part[], { folder, root }: Place): Promise<Measured> {
  const effort = options.quick ? QUICK : options.full ? FULL : WHOLE
  const pdfs = options.pdf?.map((pdf) => resolve(pdf)) ?? [writeMadeDocument(folder)]
  const program = startCommand(root)
  const measured: Measured = { results: [], failures: [] }
  for (const open of [sqliteEngine, postgresEngine]) {
    const selected = open === sqliteEngine ? parts : parts.filter(({ engines }) => engines === 'both')
    const name = open === sqliteEngine ? 'sqlite' : 'postgresql'
    if (selected.length === 0 || (options.engine !== undefined && !name.startsWith(options.engine))) continue
    const engine = await open(folder, program)
    for (const part of selected) await measurePart(part, { engine, effort, folder, pdfs }, measured)
    await engine.close()
  }
  return measured
}

/** Measures a part. Its failure does not cost the other parts their results. */
async function measurePart(part: Part, bench: Bench, { results, failures }: Measured): Promise<void> {
  const engine = bench.engine.name
  const startedMs = performance.now()
  process.stdout.write(`\n${part.title} (${part.name}), ${engine}\n`)
  const figures: Figure[] = []
  try {
    for await (const some of part.measure(bench)) {
      process.stdout.write(reportTable(some))
      figures.push(...some)
    }
  } catch (error) {
    process.stderr.write(`${(error as Error).stack}\n`)
    failures.push({ part: part.name, engine, reason: (error as Error).message })
    process.exitCode = 1
    await killServers()
  }
  results.push({ part: part.name, engine, figures })
  process.stdout.write(`  ${((performance.now() - startedMs) / 1000).toFixed(0)} s\n`)
}

/** Stores a run. Parts that the file has from an earlier run, and this run does not, are kept. */
function storeMerged(file: string, run: RunResult): void {
  const known = readStored(file)
  const isOld = ({ part, engine }: { part: string; engine: string }) =>
    !run.results.some((result) => result.part === part && result.engine === engine)
  const results = [...(known?.results.filter(isOld) ?? []), ...run.results]
  const failures = [...(known?.failures.filter(isOld) ?? []), ...run.failures]
  const orderOf = ({ part }: { part: string }) => allParts.findIndex(({ name }) => name === part)
  const merged = { ...run, results: results.sort((a, b) => orderOf(a) - orderOf(b)), failures }
  writeFileSync(file, `${JSON.stringify(merged, null, 2)}\n`)
  if (resolve(file) === fileURLToPath(STORED)) writePage(merged)
}

function readStored(file: string): RunResult | undefined {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as RunResult
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}

function commitOf(root: string): string {
  try {
    return execFileSync('git', ['-C', root, 'rev-parse', '--short', 'HEAD'], { encoding: 'utf8' }).trim()
  } catch {
    return 'unknown commit'
  }
}
