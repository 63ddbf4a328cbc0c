import { spawnSync } from 'node:child_process'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { importsOf } from '../test/support/read-imports.ts'

/** Every change makes them run: they read the sources or the pages, and most take little. */
const ALWAYS = /^(web\/.*|test\/[^/]+)\.test\.ts$/
/** Tests of all parts together, and the files that they are about. */
const CAUSES: Record<string, RegExp> = {
  // Another test compares the description of the API with the code.
  'test/api-description.test.ts': /^(docs\/api|scripts\/docs|src\/platform)\//,
  'test/readme.test.ts':
    /^(README\.md|package\.json|docs\/(first-requests\.md|api\/)|src\/(platform\/|[^/]+$)|test\/support\/)/,
}
/**
 * Tests by the start of their path, each with the files that can make them fail though they import none of them: they
 * ask a running service or start a program. No service imports another, as `test/architecture.test.ts` makes sure.
 */
const PARTS: Record<string, RegExp> = {
  'test/tracks/': /^src\/tracks\//,
  'test/publications/': /^src\/publications\//,
  'test/operator/': /^src\/(operator|maps)\//,
  'test/contracts/': /^test\/contracts\//,
  'test/deploy/': /^(deploy|test\/deploy)\/|^(Dockerfile|compose\.yaml|\.github\/)/,
  'scripts/': /^scripts\//,
  'demo/': /^demo\//,
  'bench/': /^bench\//,
  'clients/': /^clients\//,
}
/**
 * Tests of `test/tracks` about one wing alone, which fail by a change of its room or of what that imports. Every other
 * one may fail by any change of the service.
 */
export const WINGS: Record<string, RegExp> = {
  'src/tracks/exports/': /^(operator-)?export-|^round-trip/,
  'src/tracks/frames/': /^live-frames/,
  'src/tracks/imports/': /^import-tracks|^round-trip/,
  'src/tracks/live/': /^watch-|^shared-streams/,
  'src/tracks/phones/': /^phone-apps/,
  'src/tracks/race/': /^(race-set-up|ranking|rehearsals|runner-times|watch-ranking)\./,
  'src/tracks/share-pages/': /^(share|runner)-pages/,
}
/** Files that every test of a service uses. */
const SHARED = /^src\/(platform\/|[^/]+$)/
/** Files that all tests use. */
const OF_ALL = /^(package(-lock)?\.json|tsconfig\.json|scripts\/test\.ts|test\/(support|data)\/.*(?<!\.ts))$/
/** They connect all parts, so that an import of them says nothing about which of these a test is about. */
const WIRING = /^src\/(server|services|installation|main|admin|[a-z]+\/(service|api|operator-api|commands))\.ts$/
const SOURCES = '{src,web,test,scripts,demo,bench,clients}/**/*.{ts,tsx}'
/** Branches that a change starts from; the first that exists counts. */
const BASES = ['@{upstream}', 'origin/HEAD', 'origin/main', 'main']

/** Files by the files that import them: a value, or also a type alone. */
type Importers = { values: Map<string, string[]>; all: Map<string, string[]> }

/** Reads which source file of a project imports which. */
export function readImporters(folder: string): Importers {
  const files = globSync(SOURCES, { cwd: folder, exclude: ['**/node_modules/**', '**/generated/**'] })
  const imports = files
    .flatMap((file) => importsOf(file.replaceAll('\\', '/'), readFileSync(join(folder, file), 'utf8')))
    .filter(({ isOurs }) => isOurs)
  const byTarget = (chosen: typeof imports) =>
    new Map([...Map.groupBy(chosen, ({ to }) => to)].map(([to, found]) => [to, found.map(({ from }) => from)]))
  return { values: byTarget(imports.filter(({ isTypeOnly }) => !isTypeOnly)), all: byTarget(imports) }
}

/**
 * Returns the tests that a change can make fail: those that import a changed file, directly or through others, and
 * those that ask a service with such a file.
 * @param changed paths in the project
 */
export function testsOf(changed: readonly string[], tests: readonly string[], importers: Importers): string[] {
  // Nothing tells who starts a file that nobody imports, such as the set-up of a run.
  const isStarted = (path: string) => path.startsWith('test/support/') && !importers.all.has(path)
  if (changed.some((path) => OF_ALL.test(path) || isStarted(path))) return [...tests]
  const reached = reachedFrom(changed, importers.values)
  const ofWings = testsOfWings(changed, importers)
  const isShared = changed.some((path) => SHARED.test(path))
  return tests.filter((test) => {
    if (test in CAUSES) return changed.includes(test) || changed.some((path) => CAUSES[test].test(path))
    if (ALWAYS.test(test) || reached.has(test)) return true
    const folder = test.split('/').slice(0, 2).join('/')
    if (changed.some((path) => isData(path) && path.startsWith(`${folder}/`))) return true
    if (test.startsWith('src/')) return false
    const part = Object.keys(PARTS).find((start) => test.startsWith(start))
    if (isShared) return true
    return part !== undefined && changed.some((path) => PARTS[part].test(path)) && ofWings(test)
  })
}

/**
 * Returns a check of a test of tracks: false if it is about a wing alone that a change does not reach. Of files in no
 * room, such as the rules of access, and of those that are not imported nothing tells whom they reach.
 */
function testsOfWings(changed: readonly string[], importers: Importers): (test: string) => boolean {
  if (changed.some((path) => /^src\/tracks\/[^/]+$/.test(path) || (isData(path) && path.startsWith('src/tracks/'))))
    return () => true
  // A part knows the things it receives by their types.
  const reached = [...reachedFrom(changed, importers.all)]
  const untouched = Object.keys(WINGS).filter((wing) => !reached.some((path) => path.startsWith(wing)))
  const rooms = (test: string) =>
    Object.keys(WINGS).filter((wing) => WINGS[wing].test(test.replace('test/tracks/', '')))
  return (test) => rooms(test).length === 0 || !rooms(test).every((wing) => untouched.includes(wing))
}

/** Returns whether a file may be read in another way than by an import, so that nothing tells who reads it. */
function isData(path: string): boolean {
  return !/\.tsx?$/.test(path)
}

/** Returns these files and those that import them, directly or through others, but for wiring. */
export function reachedFrom(files: readonly string[], importers: Importers['all']): Set<string> {
  const reached = new Set(files)
  for (const file of reached) {
    if (WIRING.test(file)) continue
    for (const importer of importers.get(file) ?? []) reached.add(importer)
  }
  return reached
}

/** Lists the files that differ from where the branch began, committed or not; undefined if that cannot be told. */
export function changedFiles(folder: string): string[] | undefined {
  const git = (...args: string[]) => {
    const { status, stdout } = spawnSync('git', args, { cwd: folder, encoding: 'utf8' })
    return status === 0 ? stdout.split('\n').filter(Boolean) : undefined
  }
  const start = BASES.map((base) => git('merge-base', 'HEAD', base)?.[0]).find((commit) => commit !== undefined)
  const differing = start === undefined ? undefined : git('diff', '--name-only', '--no-renames', start)
  const untracked = git('ls-files', '--others', '--exclude-standard')
  return differing && untracked && [...differing, ...untracked]
}
