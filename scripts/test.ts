import { spawnSync } from 'node:child_process'
import { availableParallelism } from 'node:os'
import { fileURLToPath } from 'node:url'

// Runs every check of a change, fastest failures first. `--quick` omits PostgreSQL and the tests of the whole process, in a
// browser and in a second time zone.

const ROOT = fileURLToPath(new URL('..', import.meta.url))
/** Cache of compiled code, shared by all test files and the programs they start, which are separate processes. */
const COMPILED = fileURLToPath(new URL('../node_modules/.cache/compiled', import.meta.url))
const QUICK = process.argv.includes('--quick')
const UNIT = ['src/**/*.test.ts', 'scripts/**/*.test.ts', 'web/**/*.test.ts', 'demo/**/*.test.ts', 'test/*.test.ts']
const SERVER = [
  'test/contracts/**/*.test.ts',
  'test/tracks/**/*.test.ts',
  'test/publications/**/*.test.ts',
  'test/operator/**/*.test.ts',
]
/** Tests in a real browser use the first database only: everything below the pages is tested on both without a browser. */
const WEB = ['test/web/**/*.test.ts']
const PROCESS = ['test/acceptance/**/*.test.ts', 'test/durability/**/*.test.ts', 'test/attacks/**/*.test.ts']
/** Titles contain local hours, so these tests also run in another time zone. */
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
  // Tests spend much of their time waiting for disks and processes, so one more file than cores runs at once.
  const concurrency = `--test-concurrency=${availableParallelism() + 1}`
  run(title, process.execPath, ['--test', concurrency, setup, ...files], env)
}

/** Runs one step and passes its output through. The first failure ends the run. */
function run(title: string, command: string, args: string[], env: Record<string, string> = {}): void {
  process.stdout.write(`\n=== ${title}\n`)
  const { status } = spawnSync(command, args, {
    cwd: ROOT,
    stdio: 'inherit',
    env: { NODE_COMPILE_CACHE: COMPILED, ...process.env, ...env },
  })
  if (status !== 0) process.exit(status ?? 1)
}
