import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { changedFiles, testsOf } from './changed-parts.ts'

describe('the tests of a change', () => {
  test('are those of the services that it touches, and no others', () => {
    const changes = {
      'src/tracks/race/course.ts': ['src/tracks', 'test/tracks'],
      'src/maps/store.ts': ['src/{operator,maps}', 'test/operator'],
      'test/publications/bin.test.ts': ['test/publications'],
      'web/dashboard/race/race-page.tsx': [],
      'compose.yaml': ['test/deploy'],
    }

    const chosen = Object.keys(changes).map((path) => testsOf(['docs/glossary.md', path]))

    assert.deepEqual(
      chosen.map((patterns) => patterns.map((pattern) => pattern.replace('/**/*.test.ts', ''))),
      Object.values(changes),
    )
  })

  test('are all, if it touches what all of them use', () => {
    for (const path of ['src/platform/jobs/jobs.ts', 'src/services.ts', 'test/support/visit.ts', 'package.json'])
      assert.equal(testsOf([path]).length, 10, path)
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
