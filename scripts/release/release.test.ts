import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { appendFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { describe, type TestContext, test } from 'node:test'
import { ReleaseError, release } from './release.ts'

const DATE = '2026-05-03'
const CHANGES = '- Tracks can be shared.'
const GIT_CONFIG = `
[user]
  name = Maintainer
  email = maintainer@example.org
[commit]
  gpgSign = false
[tag]
  gpgSign = false
`

describe('release', () => {
  test('sets the version, dates the changelog, commits and tags', (t) => {
    const project = makeProject(t)

    const tag = release(project.root, '0.2.0', DATE)

    assert.equal(tag, 'v0.2.0')
    assert.equal(JSON.parse(project.read('package.json')).version, '0.2.0')
    assert.equal(JSON.parse(project.read('package-lock.json')).version, '0.2.0')
    assert.equal(project.read('CHANGELOG.md'), `# Changes\n\n## Unreleased\n\n## 0.2.0, ${DATE}\n\n${CHANGES}\n`)
    assert.equal(project.read('docs/version.txt'), '0.2.0')
    assert.equal(project.git('ls-files', 'test/data').trim(), 'test/data/releases/0.2.0/sqlite.zip')
    assert.equal(project.git('log', '-1', '--format=%s', 'v0.2.0').trim(), 'release: version 0.2.0')
    assert.equal(project.git('cat-file', '-t', 'v0.2.0').trim(), 'tag')
    assert.equal(project.git('status', '--porcelain'), '')
  })

  test('releases the version that package.json has, if it was never tagged', (t) => {
    const project = makeProject(t)

    assert.equal(release(project.root, '0.1.0', DATE), 'v0.1.0')
  })

  test('releases the next version above the one before', (t) => {
    const project = makeProject(t)
    release(project.root, '0.9.0', DATE)
    project.commit('CHANGELOG.md', project.read('CHANGELOG.md').replace('Unreleased\n', 'Unreleased\n\n- More.\n'))

    release(project.root, '0.10.0', DATE)

    assert.match(project.read('CHANGELOG.md'), /## Unreleased\n\n## 0\.10\.0, .*\n\n- More\.\n\n## 0\.9\.0, /)
  })

  test('refuses while "Unreleased" is empty', (t) => {
    const project = makeProject(t)
    project.commit('CHANGELOG.md', `# Changes\n\n## Unreleased\n\n## 0.1.0, ${DATE}\n\n${CHANGES}\n`)

    assertRefused(project, '0.2.0', /"Unreleased" in CHANGELOG\.md is empty/)
  })

  test('refuses uncommitted changes and names them', (t) => {
    const project = makeProject(t)
    project.write('notes.txt', 'unfinished')

    assertRefused(project, '0.2.0', /notes\.txt/)
  })

  test('refuses a new migration that the changelog does not mention', (t) => {
    const project = makeProject(t)
    project.git('tag', 'v0.1.0')
    project.commit('src/tracks/model/migrations.ts', migrations('0001-initial', '0002-add-weather'))

    assertRefused(project, '0.2.0', /tracks\/0002-add-weather$/)
  })

  test('accepts a new migration that the changelog mentions', (t) => {
    const project = makeProject(t)
    project.git('tag', 'v0.1.0')
    project.commit('src/tracks/model/migrations.ts', migrations('0001-initial', '0002-add-weather'))
    const changes = '- Points can carry the weather (migration `tracks/0002-add-weather`).'
    project.commit('CHANGELOG.md', `# Changes\n\n## Unreleased\n\n${changes}\n`)

    assert.equal(release(project.root, '0.2.0', DATE), 'v0.2.0')
  })

  test('refuses a tag that exists', (t) => {
    const project = makeProject(t)
    project.git('tag', 'v0.2.0')

    assertRefused(project, '0.2.0', /tag v0\.2\.0 exists/)
  })

  test('refuses what is no version, or a lower one', (t) => {
    const project = makeProject(t)

    for (const version of ['next', 'v0.2.0', '0.2']) assertRefused(project, version, /not a version/)
    assertRefused(project, '0.0.9', /lower than the current version 0\.1\.0/)
  })
})

function migrations(...names: string[]): string {
  return `export const tracksMigrations = {\n${names.map((name) => `  '${name}': { up },\n`).join('')}}\n`
}

type Project = ReturnType<typeof makeProject>

/** Makes a repository with what a release touches. Its documents are one file that holds the version. */
function makeProject(t: TestContext) {
  const root = mkdtempSync(join(tmpdir(), 'release-'))
  t.after(() => rmSync(root, { recursive: true, force: true }))
  const git = (...args: string[]) => execFileSync('git', args, { cwd: root, encoding: 'utf8' })
  const read = (path: string) => readFileSync(join(root, path), 'utf8')
  const write = (path: string, text: string) => {
    mkdirSync(dirname(join(root, path)), { recursive: true })
    writeFileSync(join(root, path), text)
  }
  const commit = (path: string, text: string) => {
    write(path, text)
    git('add', path)
    git('commit', '--quiet', '--message', path)
  }
  git('init', '--quiet')
  appendFileSync(join(root, '.git/config'), GIT_CONFIG)
  const docs = "node --print 'process.env.npm_package_version' | tr -d '\\n' > docs/version.txt"
  const stored =
    'mkdir -p test/data/releases/$npm_package_version && touch test/data/releases/$npm_package_version/sqlite.zip'
  const named = { name: 'scratch', version: '0.1.0' }
  write('package.json', JSON.stringify({ ...named, private: true, scripts: { docs, 'store-release': stored } }))
  write('package-lock.json', JSON.stringify({ ...named, lockfileVersion: 3, packages: { '': named } }))
  write('CHANGELOG.md', `# Changes\n\n## Unreleased\n\n${CHANGES}\n`)
  write('docs/version.txt', '0.1.0')
  write('src/tracks/model/migrations.ts', migrations('0001-initial'))
  git('add', '.')
  git('commit', '--quiet', '--message', 'everything')
  return { root, git, read, write, commit }
}

/** Asserts that the release fails for a reason and leaves no commit, tag or change of a file. */
function assertRefused({ root, git }: Project, version: string, reason: RegExp): void {
  const state = () => [git('rev-parse', 'HEAD'), git('tag'), git('status', '--porcelain')]
  const before = state()

  assert.throws(
    () => release(root, version, DATE),
    (error) => error instanceof ReleaseError && reason.test(error.message),
  )
  assert.deepEqual(state(), before)
}
