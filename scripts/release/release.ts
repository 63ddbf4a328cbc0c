import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { dateUnreleased, unreleasedChanges } from './changelog.ts'
import { newMigrations } from './new-migrations.ts'
import { isLower, isVersion } from './version.ts'

/** A reason not to release. The message is for the maintainer. */
export class ReleaseError extends Error {
  override name = 'ReleaseError'
}

/**
 * Releases a version of the project in `root`: sets the version, dates the changelog, writes the generated documents,
 * stores a small installation of the version, commits and tags. Nothing changes if a check fails. Nothing is pushed.
 * @returns the tag
 * @throws ReleaseError
 */
export function release(root: string, version: string, date: string): string {
  const git = (...args: string[]) => execFileSync('git', args, { cwd: root, encoding: 'utf8' })
  const at = (path: string) => join(root, path)
  const tag = `v${version}`
  const current: string = JSON.parse(readFileSync(at('package.json'), 'utf8')).version
  const changelog = readFileSync(at('CHANGELOG.md'), 'utf8')

  if (!isVersion(version)) throw new ReleaseError(`${version} is not a version such as 1.2.3`)
  if (isLower(version, current)) throw new ReleaseError(`${version} is lower than the current version ${current}`)
  if (git('tag', '--list', tag) !== '') throw new ReleaseError(`The tag ${tag} exists already`)
  const changed = git('status', '--porcelain')
  if (changed !== '') throw new ReleaseError(`Commit or remove these changes first:\n${changed.trimEnd()}`)
  const changes = unreleasedChanges(changelog)
  if (changes === '') throw new ReleaseError('"Unreleased" in CHANGELOG.md is empty')
  const missing = newMigrations(git).filter((migration) => !changes.includes(`\`${migration}\``))
  if (missing.length > 0) {
    throw new ReleaseError(`"Unreleased" in CHANGELOG.md does not mention these migrations: ${missing.join(', ')}`)
  }

  const npm = (...args: string[]) => execFileSync('npm', args, { cwd: root, encoding: 'utf8' })
  npm('version', version, '--no-git-tag-version', '--allow-same-version', '--ignore-scripts')
  writeFileSync(at('CHANGELOG.md'), dateUnreleased(changelog, version, date))
  // The API descriptions carry the version.
  npm('run', '--silent', 'docs')
  // From what is stored here, all later versions are upgraded in tests.
  npm('run', '--silent', 'store-release')
  git('add', 'test/data/releases')
  git('commit', '--quiet', '--all', '--message', `release: version ${version}`)
  git('tag', '--annotate', tag, '--message', `Trackpress ${version}`)
  return tag
}
