import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

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

const UNRELEASED = /^## Unreleased\n(.*?)(?=^## |$(?![\s\S]))/ms

/** Returns the text under "Unreleased", or an empty string. */
function unreleasedChanges(changelog: string): string {
  return UNRELEASED.exec(changelog)?.[1].trim() ?? ''
}

/** Moves the text under "Unreleased" to a section for the version, and leaves an empty "Unreleased" above it. */
function dateUnreleased(changelog: string, version: string, date: string): string {
  return changelog.replace(/^## Unreleased\n/m, `## Unreleased\n\n## ${version}, ${date}\n`)
}

const SERVICES = ['operator', 'publications', 'tracks']
/** An entry of the list at the end of a service's `migrations.ts`. */
const MIGRATION = /^ {2}'(\d{4}-[a-z0-9-]+)': /gm

/**
 * Lists the migrations that the latest release did not have, such as `tracks/0004-add-weather`. Before the first
 * release there is no database to migrate, so none counts as new.
 */
function newMigrations(git: (...args: string[]) => string): string[] {
  const latest = git('tag', '--list', 'v*', '--sort=-version:refname').split('\n')[0]
  if (latest === '') return []
  const released = migrationsOf(latest)
  return migrationsOf('HEAD').filter((migration) => !released.includes(migration))

  function migrationsOf(commit: string): string[] {
    return SERVICES.flatMap((service) => {
      const path = `src/${service}/model/migrations.ts`
      if (git('ls-tree', commit, path) === '') return []
      return [...git('show', `${commit}:${path}`).matchAll(MIGRATION)].map(([, name]) => `${service}/${name}`)
    })
  }
}

function isVersion(text: string): boolean {
  return /^(0|[1-9]\d*)\.(0|[1-9]\d*)\.(0|[1-9]\d*)$/.test(text)
}

/** Compares two versions by their numbers: 0.9.0 is lower than 0.10.0. */
function isLower(version: string, other: string): boolean {
  const [numbers, others] = [version, other].map((text) => text.split('.').map(Number))
  const index = numbers.findIndex((number, position) => number !== others[position])
  return index !== -1 && numbers[index] < others[index]
}
