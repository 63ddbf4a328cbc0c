import { spawnSync } from 'node:child_process'
import { availableParallelism } from 'node:os'
import { fileURLToPath } from 'node:url'

// Everything that a change has to pass, in the order in which it fails fastest. `--quick` leaves out PostgreSQL, the
// tests of the whole process, those in a browser and those in a second time zone.

const ROOT = fileURLToPath(new URL('..', import.meta.url))
/** Where compiled code is kept: each file of tests is a process, and so is every program that it starts. */
const COMPILED = fileURLToPath(new URL('../node_modules/.cache/compiled', import.meta.url))
const QUICK = process.argv.includes('--quick')
const UNIT = ['src/**/*.test.ts', 'scripts/**/*.test.ts', 'web/**/*.test.ts', 'demo/**/*.test.ts', 'test/*.test.ts']
const SERVER = [
  'test/contracts/**/*.test.ts',
  'test/tracks/**/*.test.ts',
  'test/publications/**/*.test.ts',
  'test/operator/**/*.test.ts',
]
/** In a real browser, on the first of the databases: what is below the pages is tested on both without one. */
const WEB = ['test/web/**/*.test.ts']
const PROCESS = ['test/acceptance/**/*.test.ts', 'test/durability/**/*.test.ts']
/** Titles are built from local hours, so what builds them runs where the local hour is another, too. */
const ZONED = ['src/tracks/domain/**/*.test.ts', 'src/platform/time/**/*.test.ts']

run('format and lint', 'biome', ['ci', '--error-on-warnings', '.'])
run('types', 'tsc', ['-p', '.'])
run('types of the web', 'tsc', ['-p', 'web'])
if (QUICK) {
  runTests('tests on SQLite', [...UNIT, ...SERVER], { TEST_DATABASES: 'sqlite', TZ: 'UTC' })
} else {
  runTests('tests in another time zone', ZONED, { TZ: 'America/St_Johns' })
  runTests('tests', [...UNIT, ...SERVER, ...PROCESS, ...WEB], { TZ: 'UTC' })
}

function runTests(title: string, files: string[], env: Record<string, string>): void {
  const setup = '--test-global-setup=test/support/global-setup.ts'
  // Much of the time is waited, for the disk, for processes and for other parts, so there is a file more than cores.
  const concurrency = `--test-concurrency=${availableParallelism() + 1}`
  run(title, process.execPath, ['--test', concurrency, setup, ...files], env)
}

/** Runs one step with its output passed through; the first that fails ends the run. */
function run(title: string, command: string, args: string[], env: Record<string, string> = {}): void {
  process.stdout.write(`\n=== ${title}\n`)
  const { status } = spawnSync(command, args, {
    cwd: ROOT,
    stdio: 'inherit',
    env: { NODE_COMPILE_CACHE: COMPILED, ...process.env, ...env },
  })
  if (status !== 0) process.exit(status ?? 1)
}
