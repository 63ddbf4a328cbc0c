import { spawnSync } from 'node:child_process'

/**
 * Tests by their pattern, each with the files that can make them fail beside those that all tests use: no service
 * imports another, as `test/architecture.test.ts` makes sure.
 */
const PARTS: Record<string, RegExp> = {
  'src/tracks/**/*.test.ts': /^src\/tracks\//,
  'test/tracks/**/*.test.ts': /^(src|test)\/tracks\//,
  'src/publications/**/*.test.ts': /^src\/publications\//,
  'test/publications/**/*.test.ts': /^(src|test)\/publications\//,
  'src/{operator,maps}/**/*.test.ts': /^src\/(operator|maps)\//,
  'test/operator/**/*.test.ts': /^(src\/(operator|maps)|test\/operator)\//,
  'test/contracts/**/*.test.ts': /^test\/contracts\//,
  'test/deploy/**/*.test.ts': /^(deploy|test\/deploy)\/|^(Dockerfile|compose\.yaml|\.github\/)/,
  'scripts/**/*.test.ts': /^scripts\//,
  '{demo,bench,clients}/**/*.test.ts': /^(demo|bench|clients)\//,
}
/** Files that all of them use. */
const SHARED = /^src\/(platform\/|[^/]+$)|^test\/support\/|^package(-lock)?\.json$/
/** Branches that a change starts from; the first that exists counts. */
const BASES = ['@{upstream}', 'origin/HEAD', 'origin/main', 'main']

/**
 * Returns the patterns of the tests that a change can make fail, of those that are chosen by it.
 * @param changed paths in the project
 */
export function testsOf(changed: readonly string[]): string[] {
  const isShared = changed.some((path) => SHARED.test(path))
  return Object.entries(PARTS)
    .filter(([, causes]) => isShared || changed.some((path) => causes.test(path)))
    .map(([tests]) => tests)
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
