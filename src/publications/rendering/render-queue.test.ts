import assert from 'node:assert/strict'
import { describe, type TestContext, test } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import { unavailable } from '#platform/basics/errors.ts'
import { makeVersionRow } from '../../../test/support/make-version.ts'
import type { VersionRow } from '../model/tables.ts'
import type { WorkKind } from '../model/versions.ts'
import { PdfError } from './pdfium/pdf-error.ts'
import { RenderQueue } from './render-queue.ts'
import type { RenderWorkDeps } from './render-work-deps.ts'

type Run = { path: string; prioritized: number[]; finish(): void; fail(error: Error): void }
type Release = { id: string; notBeforeMs: number | null; isCounted: boolean }

/** A queue on a list of versions with work, whose renderer does nothing until the test lets a run end. */
function startQueue(t: TestContext, rows: VersionRow[], kindOf: (id: string) => WorkKind = () => 'pages') {
  const runs: Run[] = []
  const releases: Release[] = []
  const notices: string[] = []
  const lost = new Set<string>()
  const open = new Map(rows.map((row) => [row.id, row]))
  const takeRow = (id: string | undefined) => {
    const row = id === undefined ? undefined : open.get(id)
    if (row !== undefined) open.delete(row.id)
    return row
  }
  const deps = {
    versions: {
      claim: async (kind: WorkKind, _owner: string, _nowMs: number, _untilMs: number, except: string[]) =>
        takeRow([...open.keys()].find((id) => kindOf(id) === kind && !except.includes(id))),
      claimOne: async (id: string) => takeRow(id),
      extendLeases: async (ids: string[]) => ids.filter((id) => !lost.has(id)),
      release: async (id: string, _owner: string, notBeforeMs: number | null, isCounted: boolean) => {
        releases.push({ id, notBeforeMs, isCounted })
      },
    },
    pages: { list: async () => [] },
    localDocuments: { localDocument: async (path: string) => ({ path, [Symbol.asyncDispose]: async () => {} }) },
    preparedDocuments: { takePage: async () => undefined },
    renderer: {
      renderPages: (path: string, _pages: unknown, { signal }: { signal: AbortSignal }) => {
        const { promise, resolve, reject } = Promise.withResolvers<void>()
        const run = { path, prioritized: [] as number[], finish: resolve, fail: reject }
        signal.addEventListener('abort', () => reject(new PdfError('cancelled')))
        runs.push(run)
        return { finished: promise, prioritize: (page: number) => run.prioritized.push(page) }
      },
    },
    languageDetector: { detect: async () => {} },
    notices: { subscribe: () => () => {}, publish: async (_topic: string, payload: string) => notices.push(payload) },
    metrics: { versionRendered: () => {} },
    budget: { hasRoom: () => true },
    logger: { warn: () => {} },
    now: () => 1_000_000,
  }
  const queue = new RenderQueue(deps as unknown as RenderWorkDeps)
  queue.start()
  t.after(() => queue.close())
  const paths = () => runs.map(({ path }) => path)
  const runOf = (path: string) => runs.find((run) => run.path === path)!
  return { queue, releases, notices, paths, runOf, lost, add: (row: VersionRow) => open.set(row.id, row) }
}

const versionRow = (id: string, change: Partial<VersionRow> = {}) => makeVersionRow({ id, blob_key: id, ...change })

async function until(isTrue: () => boolean): Promise<void> {
  for (let attempt = 0; !isTrue(); attempt++) {
    assert.ok(attempt < 20_000, 'it did not happen')
    await wait(1)
  }
}

describe('RenderQueue', () => {
  test('renders six documents concurrently, and the next when one is done', async (t) => {
    const ids = ['a', 'b', 'c', 'd', 'e', 'f', 'g']
    const { paths, runOf, releases } = startQueue(
      t,
      ids.map((id) => versionRow(id)),
    )
    await until(() => paths().length === 6)
    await wait(20)

    assert.deepEqual(paths(), ids.slice(0, 6))
    runOf('c').finish()
    await until(() => paths().length === 7)

    assert.deepEqual(releases, [{ id: 'c', notBeforeMs: null, isCounted: true }])
  })

  test('counts a failure of the document as an attempt, and pauses longer with each', async (t) => {
    const { paths, runOf, releases } = startQueue(t, [
      versionRow('a', { attempts: 1 }),
      versionRow('b', { attempts: 3 }),
    ])
    await until(() => paths().length === 2)

    runOf('a').fail(new Error('The file is strange'))
    runOf('b').fail(new Error('The file is strange'))
    await until(() => releases.length === 2)

    assert.deepEqual(releases, [
      { id: 'a', notBeforeMs: 1_001_000, isCounted: true },
      { id: 'b', notBeforeMs: 1_004_000, isCounted: true },
    ])
  })

  test('does not count a failure of the storage', async (t) => {
    const { paths, runOf, releases } = startQueue(t, [versionRow('a', { attempts: 4 })])
    await until(() => paths().length === 1)

    runOf('a').fail(unavailable())
    await until(() => releases.length === 1)

    assert.deepEqual(releases, [{ id: 'a', notBeforeMs: 1_001_000, isCounted: false }])
  })

  test('stops further images when a document without pages arrives', async (t) => {
    const { queue, paths, releases, add } = startQueue(t, [versionRow('later')], (id) =>
      id === 'later' ? 'further images' : 'pages',
    )
    await until(() => paths().length === 1)

    add(versionRow('new'))
    queue.wake()
    await until(() => releases.length === 1)

    assert.deepEqual(paths(), ['later', 'new'])
    assert.deepEqual(releases, [{ id: 'later', notBeforeMs: null, isCounted: false }])
  })

  test('does not claim a document on which it still works, though its lease has expired', async (t) => {
    const { queue, paths, runOf, add } = startQueue(t, [versionRow('a')])
    await until(() => paths().length === 1)

    add(versionRow('a'))
    add(versionRow('b'))
    queue.wake()
    await until(() => paths().length === 2)
    runOf('a').finish()
    await until(() => paths().length === 3)

    assert.deepEqual(paths(), ['a', 'b', 'a'])
  })

  test('stops work on a document whose lease another instance has taken', async (t) => {
    t.mock.timers.enable({ apis: ['setInterval'] })
    const { paths, releases, lost } = startQueue(t, [versionRow('a'), versionRow('b')])
    await until(() => paths().length === 2)

    lost.add('a')
    t.mock.timers.tick(3_000)
    await wait(20)

    assert.deepEqual(releases, [{ id: 'a', notBeforeMs: null, isCounted: false }])
  })

  test('prioritizes a page of a document that it renders', async (t) => {
    const { queue, paths, runOf, notices } = startQueue(t, [versionRow('a')])
    await until(() => paths().length === 1)

    await queue.prioritize('a', 3)

    assert.deepEqual(runOf('a').prioritized, [3])
    assert.deepEqual(notices, [])
  })

  test('claims the document of a requested page ahead of the others', async (t) => {
    const ids = ['a', 'b', 'c', 'd', 'e', 'f', 'wanted']
    const { queue, paths, runOf } = startQueue(
      t,
      ids.map((id) => versionRow(id)),
    )
    await until(() => paths().length === 6)

    await queue.prioritize('wanted', 2)
    await until(() => paths().length === 7)

    assert.deepEqual(runOf('wanted').prioritized, [2])
  })

  test('asks the instance that has the lease to prioritize a page', async (t) => {
    const { queue, notices } = startQueue(t, [])

    await queue.prioritize('elsewhere', 5)

    assert.deepEqual(notices, [JSON.stringify(['elsewhere', 5])])
  })

  test('releases all leases without counting them when it is closed', async (t) => {
    const { queue, paths, releases } = startQueue(t, [versionRow('a'), versionRow('b')])
    await until(() => paths().length === 2)

    await queue.close()

    assert.deepEqual(releases, [
      { id: 'a', notBeforeMs: null, isCounted: false },
      { id: 'b', notBeforeMs: null, isCounted: false },
    ])
  })
})
