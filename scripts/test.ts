import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { dirname, join, relative, sep } from 'node:path'
import { text } from 'node:stream/consumers'
import { pipeline } from 'node:stream/promises'
import { run as runFiles } from 'node:test'
import { spec } from 'node:test/reporters'
import { fileURLToPath } from 'node:url'
import { processTreeMs } from '../test/support/attack/process-usage.ts'
import { describeCosts } from '../test/support/test-costs.ts'
import { changedFiles, reachedFrom, readImporters, testsOf } from './changed-parts.ts'

// Runs every check of a change. `--quick` omits PostgreSQL, S3 and the tests of the whole process, in a browser
// and in a second time zone; and the tests of services and commands that have not changed. `--costs`
// prints where the processor time went.

const ROOT = fileURLToPath(new URL('..', import.meta.url))
/** Cache of compiled code, shared by all test files and the programs they start, which are separate processes. */
const COMPILED = fileURLToPath(new URL('../node_modules/.cache/compiled', import.meta.url))
/** Results of the compiler's last run, so that it looks again only at changes. */
const TYPES = 'node_modules/.cache/types'
/** Several checkers each check the types that all files share, and take twice the processor time of one. */
const ONE_CHECKER = ['--checkers', '1']
/** The compiler ends before collecting garbage pays, which takes a quarter of its processor time. */
const NO_GARBAGE_COLLECTION = { GOGC: 'off', GOMEMLIMIT: '3GiB' }
/** The programs that run several test files each. */
const PROGRAMS = fileURLToPath(new URL('../node_modules/.cache/tests', import.meta.url))
/** The file that tests import to start the program as it is built. */
const STARTS_PROGRAM = 'test/support/run-program.ts'
const RUN_IN_TURN = new URL('../test/support/run-in-turn.ts', import.meta.url).href
/**
 * The program is started hundreds of times in a process, each time for a few requests, so that compiling hot code and
 * collecting the garbage of a heap that grows in small steps take a tenth of the processor time.
 */
const SHORT_LIVED = ['--no-opt', '--min-semi-space-size=16', '--initial-old-space-size=256']
const QUICK = process.argv.includes('--quick')
const COSTS = process.argv.includes('--costs')
/** Test files, and how many of one folder share a process: each process takes a second or two to load the program. */
type Suite = { files: string[]; perProcess: number }
/** Files that share a process, and about how long they take, by the length of their code. */
type Hand = { files: string[]; weight: number }

const UNIT: Suite = {
  files: [
    'src/**/*.test.ts',
    'scripts/**/*.test.ts',
    'web/**/*.test.ts',
    'demo/**/*.test.ts',
    'bench/**/*.test.ts',
    'clients/**/*.test.ts',
    'test/*.test.ts',
  ],
  perProcess: 60,
}
const SERVER: Suite = {
  files: [
    'test/contracts/**/*.test.ts',
    'test/tracks/**/*.test.ts',
    'test/publications/**/*.test.ts',
    'test/operator/**/*.test.ts',
    'test/deploy/**/*.test.ts',
  ],
  perProcess: 20,
}
/**
 * Tests in a real browser use the first database only: everything below the pages is tested on both without a browser.
 */
const WEB: Suite = { files: ['test/web/**/*.test.ts'], perProcess: 8 }
const PROCESS: Suite = {
  files: ['test/acceptance/**/*.test.ts', 'test/durability/**/*.test.ts', 'test/client/**/*.test.ts'],
  perProcess: 5,
}
/** They are judged by answers, and by the processor time of the program alone, so they run beside other tests. */
const ATTACKS: Suite = { files: ['test/attacks/**/*.test.ts'], perProcess: 5 }
/** Time of tests that look at a map, as a multiple of others of the same length. */
const MAP_WEIGHT = 1.6
/** Ends a program whose thread is in a loop without an end, where no time limit of a test can be noticed. */
const PROGRAM_TIME_LIMIT_MS = 40 * 60_000
/** Files that are about their own process, such as its threads, and share it with no others. */
const ALONE = ['test/worker-threads.test.ts']
const READER = join('test', 'web', 'reader')
/** Titles contain local hours, so these tests also run in another time zone. */
const ZONED = ['src/tracks/model/**/*.test.ts', 'src/platform/basics/**/*.test.ts']
const ZONE = 'America/St_Johns'

/** A check of the sources alone, which runs beside the tests. */
type Check = [title: string, command: string, args: string[]]

/** Files that rules of all others depend on. */
const LINT_SETTINGS = /(^|\/)(biome|package|tsconfig)\.json$|^\.gitignore$/
const LINT = ['ci', '--error-on-warnings', '--no-errors-on-unmatched']
const TYPE_CHECKS: Check[] = [
  ['types', 'tsc', ['-p', '.', ...incremental('server')]],
  ['types of the web', 'tsc', ['-p', 'web', ...incremental('web')]],
  ['types of the client for apps', 'tsc', ['-p', 'clients/typescript', '--noEmit', ...incremental('client')]],
  ['types of its examples', 'tsc', ['-p', 'clients/typescript/examples', ...incremental('examples')]],
]

/** Tests that failed, each by its file, its name and what it said first. */
const failures: string[] = []
process.env.NODE_COMPILE_CACHE ??= COMPILED
if (COSTS) noteCostsOfRun()
await import('./generate-client.ts')
/** Files that this branch changes; undefined if every file is to be tested. */
const changed = QUICK ? changedFiles(ROOT) : undefined
const checked = runBeside([...lintChecks(), ...TYPE_CHECKS])
if (QUICK) {
  await runTests('tests on SQLite', quickSuites(), { TEST_DATABASES: 'sqlite', TEST_BLOBS: 'files' })
} else {
  await runTests('tests', [UNIT, SERVER, PROCESS, WEB, ATTACKS])
}
await checked
if (COSTS) {
  const totalSec = (processTreeMs('self') ?? 0) / 1000
  // Processes that were killed with the one that started them, such as those of browsers, are in the tables alone.
  process.stdout.write(`${describeCosts(process.env.TEST_COSTS!)}\n${totalSec.toFixed(1)} s of processor in this run\n`)
}
if (failures.length > 0) {
  announce(`failed: ${failures.length}`)
  process.stdout.write(`${failures.join('\n')}\n`)
} else if (process.exitCode) {
  announce('failed: no test, but what is said above or on standard error')
}

/**
 * Returns the suites of the quick check, without the tests that the change of this branch cannot make fail.
 * Leaves the program unbuilt if no test starts it.
 */
function quickSuites(): Suite[] {
  if (changed === undefined) return [UNIT, SERVER]
  const importers = readImporters(ROOT)
  const suites = [UNIT, SERVER].map((suite) => {
    return { ...suite, files: testsOf(changed, globSync(suite.files, { cwd: ROOT }), importers) }
  })
  const chosen = suites.flatMap(({ files }) => files)
  const counts = [...Map.groupBy(chosen, roomOf)].map(([room, files]) => `${files.length} of ${room}`)
  announce(`test files chosen by what has changed: ${counts.join(', ')}`)
  const starters = reachedFrom([STARTS_PROGRAM], importers.values)
  if (!chosen.some((file) => starters.has(file))) process.env.TEST_BUILD = 'no'
  return suites
}

/** Returns the check of format and rules, of all files unless it is certain that only changed ones can break any. */
function lintChecks(): Check[] {
  const isOfAll = changed === undefined || changed.some((path) => LINT_SETTINGS.test(path))
  const files = isOfAll ? ['.'] : changed.filter((path) => existsSync(join(ROOT, path)))
  return files.length === 0 ? [] : [['format and lint', 'biome', [...LINT, ...files]]]
}

function noteCostsOfRun(): void {
  process.env.TEST_COSTS = join(PROGRAMS, 'costs.jsonl')
  mkdirSync(PROGRAMS, { recursive: true })
  writeFileSync(process.env.TEST_COSTS, '')
}

function incremental(name: string): string[] {
  return ['--incremental', '--tsBuildInfoFile', join(TYPES, `${name}.json`), ...ONE_CHECKER]
}

/**
 * Runs the files of these suites, several programs at once: tests spend much of their time waiting for disks, processes
 * and time limits.
 */
async function runTests(title: string, suites: Suite[], env: Record<string, string> = {}): Promise<void> {
  announce(title)
  Object.assign(process.env, env, { TZ: 'UTC' })
  const zoned = QUICK ? [] : [writeProgram('zoned', globSync(ZONED, { cwd: ROOT }), ZONE)]
  const options = {
    cwd: ROOT,
    files: [...zoned, ...spread(suites.map(programsOf))],
    concurrency: availableParallelism() + 2,
    execArgv: SHORT_LIVED,
    timeout: PROGRAM_TIME_LIMIT_MS,
    // The package of types does not know it.
    globalSetupPath: 'test/support/global-setup.ts',
  }
  const tests = runFiles(options)
  tests.on('test:fail', ({ name, file, details: { error } }) => {
    process.exitCode = 1
    // A suite fails with each of its tests, which are listed.
    if ('failureType' in error && error.failureType === 'subtestsFailed') return
    failures.push(`✖ ${relative(ROOT, file ?? ROOT)}: ${name}: ${error.message.replaceAll(/\s+/g, ' ').slice(0, 200)}`)
  })
  await pipeline(tests.compose(new spec()), process.stdout, { end: false })
}

/**
 * Writes programs that run the files of a suite. Returns them, the longest first:
 * what runs long must not be left at the end.
 */
function programsOf({ files, perProcess }: Suite): string[] {
  const byRoom = Map.groupBy(globSync(files, { cwd: ROOT }), roomOf)
  const programs = [...byRoom].flatMap(([room, inside]) => {
    const [alone, together] = [true, false].map((isAlone) => inside.filter((file) => ALONE.includes(file) === isAlone))
    return [...dealt(together, perProcess), ...alone.flatMap((file) => dealt([file], 1))].map((hand, at) => ({
      path: writeProgram(`${room}-${at + 1}`, hand.files),
      weight: hand.weight,
    }))
  })
  return programs.sort((a, b) => b.weight - a.weight).map(({ path }) => path)
}

/**
 * Returns the room of a test file, by which it shares a process: `src-tracks`,
 * `test-web`. Others have few tests and are one room; the reader's are their own, because they share a server.
 */
function roomOf(file: string): string {
  if (file.startsWith(READER)) return 'test-web-reader'
  const [first, second] = dirname(file).split(sep)
  return ['src', 'test'].includes(first) && second !== undefined ? `${first}-${second}` : 'others'
}

/** Deals files to as few processes as may be: the heaviest first, each to the process that has least so far. */
function dealt(files: string[], perProcess: number): Hand[] {
  const hands = Array.from({ length: Math.ceil(files.length / perProcess) }, (): Hand => ({ files: [], weight: 0 }))
  const weighed = files.map((file) => ({ file, weight: weightOf(file) }))
  for (const { file, weight } of weighed.sort((a, b) => b.weight - a.weight || (a.file < b.file ? -1 : 1))) {
    const lightest = hands.reduce((least, hand) => (hand.weight < least.weight ? hand : least))
    lightest.files.push(file)
    lightest.weight += weight
  }
  return hands
}

function writeProgram(name: string, files: string[], zone = 'UTC'): string {
  const path = join(PROGRAMS, `${name}.mjs`)
  const run = `process.env.TZ = '${zone}'\nrunInTurn(${JSON.stringify(files, null, 2)})\n`
  const code = `import { runInTurn } from '${RUN_IN_TURN}'\n\n${run}`
  mkdirSync(PROGRAMS, { recursive: true })
  writeFileSync(path, code)
  return path
}

/** A file takes as long as its tests are many, and longer if they look at maps, which the processor draws. */
function weightOf(file: string): number {
  const code = readFileSync(join(ROOT, file), 'utf8')
  return code.length * (/\b(WITH_MAP|drawsMaps)\b/.test(code) ? MAP_WEIGHT : 1)
}

/**
 * Spreads each suite over the run, so that browsers, which need the cores, run beside tests that wait. The suites with
 * the longest programs end early, so that short ones fill both cores at the end.
 */
function spread(groups: string[][]): string[] {
  const placed = groups.flatMap((files, suite) =>
    files.map((file, at) => ({ file, place: (at / files.length) * (suite < 2 ? 1 : 0.7) })),
  )
  return placed.sort((a, b) => a.place - b.place).map(({ file }) => file)
}

/** Runs the checks of sources one after the other, and prints what they say when they are done. */
async function runBeside(checks: Check[]): Promise<void> {
  for (const [title, command, args] of checks) {
    const env = { ...process.env, ...NO_GARBAGE_COLLECTION }
    const child = spawn(command, args, { cwd: ROOT, env, stdio: ['ignore', 'pipe', 'pipe'] })
    const exited = once(child, 'exit')
    const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr)])
    const [status] = await exited
    announce(`${title}: ${status === 0 ? 'in order' : 'failed'}`)
    if (status === 0) continue
    process.stdout.write(stdout + stderr)
    process.exitCode = 1
  }
}

function announce(title: string): void {
  process.stdout.write(`\n=== ${title}\n`)
}
