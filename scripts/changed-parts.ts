import { spawnSync } from 'node:child_process'

/** Folders of tests of endpoints, each with what they test beside the platform, which no other service may import. */
const PARTS: Record<string, RegExp> = {
  'test/tracks': /^(src|test)\/tracks\//,
  'test/publications': /^(src|test)\/publications\//,
  'test/operator': /^(src\/(operator|maps)|test\/operator)\//,
  'test/contracts': /^test\/contracts\//,
  'test/deploy': /^(deploy|test\/deploy)\/|^(Dockerfile|compose\.yaml|\.github\/)/,
}
/** What all of them use. */
const SHARED = /^src\/(platform\/|[^/]+$)|^test\/support\/|^package(-lock)?\.json$/
/** Branches that a change starts from, the first that exists. */
const BASES = ['@{upstream}', 'origin/HEAD', 'origin/main', 'main']

/**
 * Returns the folders of tests of endpoints that a change can make fail. Services know the platform, and not each other,
 * as `test/architecture.test.ts` makes sure, so that a change of one needs no tests of another.
 * @param changed paths in the project
 */
export function partsToTest(changed: readonly string[]): string[] {
  const parts = Object.entries(PARTS)
  const isShared = changed.some((path) => SHARED.test(path))
  return parts.filter(([, own]) => isShared || changed.some((path) => own.test(path))).map(([folder]) => folder)
}

/** Lists the files that differ from where the branch began, committed or not; undefined if that cannot be told. */
export function changedFiles(folder: string): string[] | undefined {
  const git = (...args: string[]) => {
    const { status, stdout } = spawnSync('git', args, { cwd: folder, encoding: 'utf8' })
    return status === 0 ? stdout.split('\n').filter(Boolean) : undefined
  }
  const start = BASES.map((base) => git('merge-base', 'HEAD', base)?.[0]).find((commit) => commit !== undefined)
  const differing = start === undefined ? undefined : git('diff', '--name-only', '--no-renames', start)
  const unknown = git('ls-files', '--others', '--exclude-standard')
  return differing && unknown && [...differing, ...unknown]
}
