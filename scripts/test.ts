import { spawnSync } from 'node:child_process'
import { globSync, statSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { run as runFiles } from 'node:test'
import { spec } from 'node:test/reporters'
import { fileURLToPath } from 'node:url'

// Runs every check of a change. `--quick` omits PostgreSQL and the tests of the whole process, in a browser and in a second
// time zone.

const ROOT = fileURLToPath(new URL('..', import.meta.url))
/** Cache of compiled code, shared by all test files and the programs they start, which are separate processes. */
const COMPILED = fileURLToPath(new URL('../node_modules/.cache/compiled', import.meta.url))
const QUICK = process.argv.includes('--quick')
const UNIT = [
  'src/**/*.test.ts',
  'scripts/**/*.test.ts',
  'web/**/*.test.ts',
  'demo/**/*.test.ts',
  'bench/**/*.test.ts',
  'clients/**/*.test.ts',
  'test/*.test.ts',
]
const SERVER = [
  'test/contracts/**/*.test.ts',
  'test/tracks/**/*.test.ts',
  'test/publications/**/*.test.ts',
  'test/operator/**/*.test.ts',
]
/** Tests in a real browser use the first database only: everything below the pages is tested on both without a browser. */
const WEB = ['test/web/**/*.test.ts']
const PROCESS = [
  'test/acceptance/**/*.test.ts',
  'test/durability/**/*.test.ts',
  'test/attacks/**/*.test.ts',
  'test/client/**/*.test.ts',
]
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

/** Runs the files of these groups, each in a process of its own. */
async function runTests(title: string, groups: string[][], env: Record<string, string>): Promise<void> {
  announce(title)
  Object.assign(process.env, env)
  const options = {
    cwd: ROOT,
    files: spread(groups.map(filesOf)),
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

/** Returns the files of a group, the longest first: one that runs long must not be left when the others have ended. */
function filesOf(patterns: string[]): string[] {
  const files = globSync(patterns, { cwd: ROOT }).map((file) => join(ROOT, file))
  const sizes = new Map(files.map((file) => [file, statSync(file).size]))
  return files.sort((a, b) => sizes.get(b)! - sizes.get(a)!)
}

/** Spreads each group over the whole run, so that browsers, which need the cores, run beside tests that wait. */
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
