import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { globSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { changedFiles, readImporters, testsOf, WINGS } from './changed-parts.ts'

const ROOT = fileURLToPath(new URL('..', import.meta.url))
const TESTS = globSync(
  [
    '{src,web,scripts,demo,bench,clients}/**/*.test.ts',
    'test/{*,{contracts,tracks,publications,operator,deploy}/**/*}.test.ts',
  ],
  {
    cwd: ROOT,
    exclude: ['**/node_modules/**'],
  },
)
const importers = readImporters(ROOT)
const testsOfChange = (...changed: string[]) => testsOf(changed, TESTS, importers)
/** Folders of the tests of a change, without the tests that every change makes run. */
const foldersOf = (path: string) => {
  const always = new Set(testsOfChange('docs/glossary.md'))
  const chosen = testsOfChange(path).filter((test) => !always.has(test))
  return [...new Set(chosen.map((test) => test.split('/').slice(0, 2).join('/')))].sort()
}

describe('the tests of a change', () => {
  test('are those of the services that it touches, and no others', () => {
    const changes = {
      'src/tracks/race/course.ts': ['demo/place', 'demo/race', 'src/tracks', 'test/contracts', 'test/tracks'],
      'src/maps/routes.ts': ['test/deploy', 'test/operator'],
      'src/tracks/service.ts': ['test/tracks'],
      'test/publications/bin.test.ts': ['test/publications'],
      'web/dashboard/race/race-page.tsx': [],
      'compose.yaml': ['test/deploy'],
      'docs/first-requests.md': ['test/readme.test.ts'],
    }

    assert.deepEqual(Object.fromEntries(Object.keys(changes).map((path) => [path, foldersOf(path)])), changes)
  })

  test('are in the sources only those that import a changed file, directly or through others', () => {
    const ofScan = testsOfChange('src/tracks/points/json/scan-body.ts')

    for (const name of ['points/json/scan-body', 'points/json/read-body', 'points/json/body-reader'])
      assert.ok(ofScan.includes(`src/tracks/${name}.test.ts`), name)
    for (const name of ['points/chunks/series', 'exports/xml', 'model/titles'])
      assert.ok(!ofScan.includes(`src/tracks/${name}.test.ts`), name)
    // A thread is started by its address.
    assert.ok(testsOfChange('src/tracks/race/course-worker.ts').includes('src/tracks/race/course-worker.test.ts'))
  })

  test('leave out those of a wing that it does not reach', () => {
    const has = (path: string, name: string) => testsOfChange(path).includes(`test/tracks/${name}.test.ts`)
    const wings = [
      'export-track',
      'live-frames',
      'import-tracks',
      'watch-event',
      'phone-apps',
      'ranking',
      'share-pages',
    ]

    for (const path of ['src/tracks/points/check-point.ts', 'src/tracks/access.ts', 'src/tracks/race/names.json'])
      assert.deepEqual(
        wings.filter((name) => !has(path, name)),
        [],
        path,
      )
    assert.deepEqual(
      wings.filter((name) => has('src/tracks/exports/csv.ts', name)),
      ['export-track', 'share-pages'],
    )
    assert.deepEqual(
      wings.filter((name) => has('src/tracks/race/standing.ts', name)),
      ['live-frames', 'watch-event', 'ranking', 'share-pages'],
    )
    assert.ok(has('src/tracks/imports/read-fit.ts', 'round-trip'))
    assert.ok(has('src/tracks/imports/read-fit.ts', 'add-points'))
  })

  test('ask all services, if it touches what all of them use', () => {
    for (const path of ['src/platform/jobs/jobs.ts', 'src/services.ts', 'test/support/start-service.ts'])
      assert.ok(
        foldersOf(path).filter((folder) => /^test\/(tracks|publications|operator)$/.test(folder)).length === 3,
        path,
      )
  })

  test('are all, if it touches a file that nobody imports and all may use', () => {
    for (const path of ['test/support/global-setup.ts', 'test/support/fonts.conf', 'package.json'])
      assert.equal(testsOfChange(path).length, TESTS.length, path)
  })

  test('of a wing are tests that exist', () => {
    for (const [wing, pattern] of Object.entries(WINGS)) {
      assert.ok(
        TESTS.some((test) => test.startsWith('test/tracks/') && pattern.test(test.slice(12))),
        wing,
      )
    }
  })
})

describe('the files of a change', () => {
  test('are committed ones since the branch began, others, and new ones', (t) => {
    const folder = mkdtempSync(join(tmpdir(), 'changed-'))
    t.after(() => rmSync(folder, { recursive: true }))
    const identity = ['-c', 'user.name=A', '-c', 'user.email=a@example.org']
    const git = (...args: string[]) => execFileSync('git', [...identity, ...args], { cwd: folder, stdio: 'ignore' })
    const write = (name: string) => writeFileSync(join(folder, name), `${name}\n`)
    const commit = () => {
      git('add', '.')
      git('commit', '-m', 'step')
    }
    git('init', '-b', 'main')
    for (const name of ['kept', 'edited']) write(name)
    commit()
    git('checkout', '-b', 'branch')
    write('committed')
    commit()
    writeFileSync(join(folder, 'edited'), 'otherwise\n')
    write('new')

    assert.deepEqual(changedFiles(folder)?.sort(), ['committed', 'edited', 'new'])
  })

  test('cannot be told where git knows nothing', (t) => {
    const folder = mkdtempSync(join(tmpdir(), 'changed-'))
    t.after(() => rmSync(folder, { recursive: true }))

    assert.equal(changedFiles(folder), undefined)
  })
})
