import { spawnSync } from 'node:child_process'
import { globSync, mkdirSync, statSync, writeFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { dirname, join, sep } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { run as runFiles } from 'node:test'
import { spec } from 'node:test/reporters'
import { fileURLToPath } from 'node:url'

// Runs every check of a change. `--quick` omits PostgreSQL and the tests of the whole
// process, in a browser and in a second time zone.

const ROOT = fileURLToPath(new URL('..', import.meta.url))
/** Cache of compiled code, shared by all test files and the programs they start, which are separate processes. */
const COMPILED = fileURLToPath(new URL('../node_modules/.cache/compiled', import.meta.url))
/** The programs that run several test files each. */
const PROGRAMS = fileURLToPath(new URL('../node_modules/.cache/tests', import.meta.url))
const RUN_IN_TURN = new URL('../test/support/run-in-turn.ts', import.meta.url).href
const QUICK = process.argv.includes('--quick')
/** Test files, and how many of one folder share a process: each process takes a second or two to load the program. */
type Suite = { files: string[]; perProcess: number }

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
  perProcess: 24,
}
const SERVER: Suite = {
  files: [
    'test/contracts/**/*.test.ts',
    'test/tracks/**/*.test.ts',
    'test/publications/**/*.test.ts',
    'test/operator/**/*.test.ts',
    'test/deploy/**/*.test.ts',
  ],
  perProcess: 10,
}
/**
 * Tests in a real browser use the first database only: everything below the pages is tested on both without a browser.
 */
const WEB: Suite = { files: ['test/web/**/*.test.ts'], perProcess: 4 }
const PROCESS: Suite = {
  files: [
    'test/acceptance/**/*.test.ts',
    'test/durability/**/*.test.ts',
    'test/attacks/**/*.test.ts',
    'test/client/**/*.test.ts',
  ],
  perProcess: 3,
}
/** Files that are about their own process, such as its threads, and share it with no others. */
const ALONE = ['test/worker-threads.test.ts']
/** Titles contain local hours, so these tests also run in another time zone. */
const ZONED = ['src/tracks/domain/**/*.test.ts', 'src/platform/time/**/*.test.ts']

process.env.NODE_COMPILE_CACHE ??= COMPILED
run('format and lint', 'biome', ['ci', '--error-on-warnings', '.'])
run('types', 'tsc', ['-p', '.'])
run('types of the web', 'tsc', ['-p', 'web'])
run('types of the client for apps', 'tsc', ['-p', 'clients/typescript', '--noEmit'])
run('types of its examples', 'tsc', ['-p', 'clients/typescript/examples'])
if (QUICK) {
  await runTests('tests on SQLite', [UNIT, SERVER], { TEST_DATABASES: 'sqlite', TZ: 'UTC' })
} else {
  run('tests in another time zone', process.execPath, ['--test', ...ZONED], { TZ: 'America/St_Johns' })
  await runTests('tests', [UNIT, SERVER, PROCESS, WEB], { TZ: 'UTC' })
}

/** Runs the files of these suites. */
async function runTests(title: string, suites: Suite[], env: Record<string, string>): Promise<void> {
  announce(title)
  Object.assign(process.env, env)
  const options = {
    cwd: ROOT,
    files: spread(suites.map(programsOf)),
    // Tests spend much of their time waiting for disks, processes and time limits.
    concurrency: availableParallelism() + 2,
    // The package of types does not know it.
    globalSetupPath: 'test/support/global-setup.ts',
  }
  const tests = runFiles(options)
  tests.on('test:fail', () => {
    process.exitCode = 1
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
    return [...dealt(together, perProcess), ...alone.map((file) => [file])].map((shared, at) => ({
      path: writeProgram(`${room}-${at + 1}`, shared),
      bytes: sum(shared.map(sizeOf)),
    }))
  })
  return programs.sort((a, b) => b.bytes - a.bytes).map(({ path }) => path)
}

/**
 * Returns the room of a test file, by which it shares a process: `src-tracks`,
 * `test-web`. Others have few tests and are one room.
 */
function roomOf(file: string): string {
  const [first, second] = dirname(file).split(sep)
  return ['src', 'test'].includes(first) && second !== undefined ? `${first}-${second}` : 'others'
}

/** Deals files to as few processes as may be, so that each gets some of the large ones and some of the small ones. */
function dealt(files: string[], perProcess: number): string[][] {
  const hands: string[][] = Array.from({ length: Math.ceil(files.length / perProcess) }, () => [])
  const largestFirst = files.sort((a, b) => sizeOf(b) - sizeOf(a) || (a < b ? -1 : 1))
  for (const [at, file] of largestFirst.entries()) hands[at % hands.length].push(file)
  return hands
}

function writeProgram(name: string, files: string[]): string {
  const path = join(PROGRAMS, `${name}.mjs`)
  const code = `import { runInTurn } from '${RUN_IN_TURN}'\n\nrunInTurn(${JSON.stringify(files, null, 2)})\n`
  mkdirSync(PROGRAMS, { recursive: true })
  writeFileSync(path, code)
  return path
}

function sizeOf(file: string): number {
  return statSync(join(ROOT, file)).size
}

function sum(numbers: number[]): number {
  return numbers.reduce((total, number) => total + number, 0)
}

/** Spreads each suite over the whole run, so that browsers, which need the cores, run beside tests that wait. */
function spread(groups: string[][]): string[] {
  const placed = groups.flatMap((files) => files.map((file, at) => ({ file, place: at / files.length })))
  return placed.sort((a, b) => a.place - b.place).map(({ file }) => file)
}

/** Runs one step and passes its output through. The first failure ends the run. */
function run(title: string, command: string, args: string[], env: Record<string, string> = {}): void {
  announce(title)
  const { status } = spawnSync(command, args, { cwd: ROOT, stdio: 'inherit', env: { ...process.env, ...env } })
  if (status !== 0) process.exit(status ?? 1)
}

function announce(title: string): void {
  process.stdout.write(`\n=== ${title}\n`)
}
