import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { changedFiles, partsToTest } from './changed-parts.ts'

describe('the parts to test after a change', () => {
  for (const [path, parts] of [
    ['src/tracks/race/course.ts', ['test/tracks']],
    ['src/maps/store.ts', ['test/operator']],
    ['test/publications/bin.test.ts', ['test/publications']],
    ['web/dashboard/race/race-page.tsx', []],
    ['src/platform/jobs/jobs.ts', 'all'],
    ['src/services.ts', 'all'],
    ['test/support/visit.ts', 'all'],
  ] as const) {
    test(`${path}: ${parts === 'all' ? parts : parts.join() || 'none'}`, () => {
      const all = ['test/tracks', 'test/publications', 'test/operator', 'test/contracts', 'test/deploy']

      assert.deepEqual(partsToTest(['docs/glossary.md', path]), parts === 'all' ? all : parts)
    })
  }
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
