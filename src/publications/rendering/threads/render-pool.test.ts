import assert from 'node:assert/strict'
import { describe, type TestContext, test } from 'node:test'
import { PdfError, type PdfErrorCode } from '../pdfium/pdf-error.ts'
import { type JobOptions, type Outcome, RenderJob } from './render-job.ts'
import type { RenderReply, RenderRequest } from './render-messages.ts'
import { type PoolOptions, type PoolThread, RenderPool } from './render-pool.ts'

const OPTIONS: PoolOptions = {
  workers: 1,
  maxMemoryBytes: 1_000_000,
  fonts: [],
  documentDeadlineMs: 60_000,
  requestsPerWorker: 1_000,
  recycleAboveBytes: 1_000_000,
  idleMs: 60_000,
}

/**
 * A pool whose threads answer at once, or when `until` resolves; a page in `deadly` ends the thread that renders it.
 */
function startPool(
  t: TestContext,
  options: Partial<PoolOptions> = {},
  deadly: readonly string[] = [],
  until: (name: string) => Promise<void> | undefined = () => undefined,
  failure: PdfErrorCode = 'crashed',
) {
  const asked: string[] = []
  let threads = 0
  const pool = new RenderPool({ ...OPTIONS, ...options }, () => {
    threads++
    const thread: PoolThread = {
      answered: 0,
      memoryBytes: 0,
      isAlive: true,
      async ask(request: RenderRequest): Promise<RenderReply> {
        const name = request.kind === 'render' ? `${request.path}${request.page}` : request.kind
        asked.push(name)
        if (deadly.includes(name)) {
          thread.isAlive = false
          throw new PdfError(failure)
        }
        await until(name)
        thread.answered++
        return { memoryBytes: 0, error: name }
      },
      release: () => {},
      unref: () => {},
      close: async () => {
        thread.isAlive = false
      },
    }
    return thread
  })
  t.after(() => pool.close())
  return { pool, asked, threadCount: () => threads }
}

function jobOf(path: string, pages: number[], options: Partial<JobOptions> = {}) {
  const outcomes: [page: number, failed: string | undefined][] = []
  const job = new RenderJob({
    path,
    kind: 'pages',
    pages,
    deadlineMs: 1_000,
    maxUnfinished: 2,
    requestFor: (page) => ({ kind: 'render', path, page, width: 100, hasContent: true }),
    onOutcome: (page: number, outcome: Outcome) => {
      outcomes.push([page, 'failed' in outcome ? outcome.failed : undefined])
    },
    ...options,
  })
  return { job, outcomes }
}

const pagesTo = (last: number) => Array.from({ length: last }, (_, at) => at + 1)

describe('RenderPool', () => {
  test('serves publishers first, then readers, and what nobody waits for last', async (t) => {
    const { pool, asked } = startPool(t)
    const jobs = [
      jobOf('a', [1, 2, 3]),
      jobOf('further', [1], { kind: 'further-images' }),
      jobOf('large', [1], { kind: 'large-image' }),
      jobOf('image', [1], { kind: 'image' }),
      jobOf('new', [1, 2]),
      jobOf('opened', [1], { kind: 'inspection' }),
    ]

    for (const { job } of jobs) pool.add(job)
    jobs[0].job.prioritize(3)
    await Promise.all(jobs.map(({ job }) => job.finished))

    assert.deepEqual(asked, ['a1', 'opened1', 'new1', 'image1', 'a3', 'large1', 'further1', 'new2', 'a2'])
  })

  test('gives a new document a worker of its own while all others are at slow pages', async (t) => {
    const slowPage = Promise.withResolvers<void>()
    const { pool, asked } = startPool(t, {}, [], (name) => (name === 'slow1' ? slowPage.promise : undefined))
    const slow = jobOf('slow', [1], { kind: 'large-image' })
    const fresh = jobOf('new', [1, 2])

    pool.add(slow.job)
    pool.add(fresh.job)
    while (fresh.outcomes.length === 0) await new Promise((resolve) => setTimeout(resolve, 10))
    const before = [...asked]
    slowPage.resolve()
    await Promise.all([slow.job.finished, fresh.job.finished])

    assert.deepEqual(before, ['slow1', 'new1'])
  })

  test('serves every document once, then each for eight pages in turn', async (t) => {
    const { pool, asked } = startPool(t)
    const [first, second] = [jobOf('a', pagesTo(12)), jobOf('b', pagesTo(12))]

    pool.add(first.job)
    pool.add(second.job)
    await Promise.all([first.job.finished, second.job.finished])

    assert.deepEqual(
      asked
        .slice(0, 10)
        .map((name) => name[0])
        .join(''),
      'abbbbbbbba',
    )
  })

  test('delivers the first page of a document before it renders another', async (t) => {
    const stored = Promise.withResolvers<void>()
    const { pool, asked, threadCount } = startPool(t, { workers: 2 })
    const { job } = jobOf('a', [1, 2, 3], { onOutcome: (page) => (page === 1 ? stored.promise : undefined) })

    pool.add(job)
    while (asked.length === 0) await new Promise((resolve) => setTimeout(resolve, 1))
    await new Promise((resolve) => setTimeout(resolve, 20))
    const before = [[...asked], threadCount()]
    stored.resolve()
    await job.finished

    assert.deepEqual(before, [['a1'], 1])
    assert.deepEqual(asked.toSorted(), ['a1', 'a2', 'a3'])
  })

  test('goes on with a document whose first page takes long', async (t) => {
    const slowPage = Promise.withResolvers<void>()
    const { pool, asked } = startPool(t, { workers: 2 }, [], (name) => (name === 'a1' ? slowPage.promise : undefined))
    const { job } = jobOf('a', [1, 2, 3])

    pool.add(job)
    while (asked.length < 3) await new Promise((resolve) => setTimeout(resolve, 10))
    slowPage.resolve()
    await job.finished

    assert.deepEqual(asked, ['a1', 'a2', 'a3'])
  })

  test('ranks work that was begun ahead last, until it is wanted', async (t) => {
    const { pool, asked } = startPool(t)
    const wanted = Promise.withResolvers<void>()
    const jobs = [
      jobOf('busy', [1]),
      jobOf('ahead', [1], { wanted: new Promise(() => {}) }),
      jobOf('awaited', [1], { wanted: wanted.promise }),
      jobOf('image', [1], { kind: 'image' }),
    ]

    for (const { job } of jobs) pool.add(job)
    wanted.resolve()
    await Promise.all(jobs.map(({ job }) => job.finished))

    assert.deepEqual(asked, ['busy1', 'awaited1', 'image1', 'ahead1'])
  })

  test('remembers no page for the little time of work that was begun ahead', async (t) => {
    const { pool, asked } = startPool(t, {}, ['a1'], undefined, 'timed_out')
    const ahead = jobOf('a', [1], { wanted: new Promise(() => {}) })
    pool.add(ahead.job)
    await ahead.job.finished
    const later = [jobOf('a', [1]), jobOf('a', [1])]

    for (const { job } of later) {
      pool.add(job)
      await job.finished
    }

    assert.deepEqual(asked, ['a1', 'a1'])
    assert.deepEqual(later[1].outcomes, [[1, 'timed_out']])
  })

  test('tries a page that ends a used worker once more, and then remembers it', async (t) => {
    const { pool, asked, threadCount } = startPool(t, {}, ['a2'])
    const once = jobOf('a', [1, 2, 3])
    pool.add(once.job)
    await once.job.finished
    const again = jobOf('a', [2])

    pool.add(again.job)
    await again.job.finished

    assert.deepEqual(asked, ['a1', 'a2', 'a2', 'a3'])
    assert.deepEqual(once.outcomes, [
      [1, undefined],
      [2, 'crashed'],
      [3, undefined],
    ])
    assert.deepEqual(again.outcomes, [[2, 'crashed']])
    assert.equal(threadCount(), 3)
  })

  test('does not retry a page that ends a fresh worker', async (t) => {
    const { pool, asked } = startPool(t, {}, ['a1'])
    const { job, outcomes } = jobOf('a', [1])

    pool.add(job)
    await job.finished

    assert.deepEqual(asked, ['a1'])
    assert.deepEqual(outcomes, [[1, 'crashed']])
  })

  test('replaces a worker after its number of requests', async (t) => {
    const { pool, threadCount } = startPool(t, { requestsPerWorker: 2 })
    const { job } = jobOf('a', [1, 2, 3, 4, 5])

    pool.add(job)
    await job.finished

    assert.equal(threadCount(), 3)
  })

  test('ends pending jobs, and refuses new ones, when it is closed', async (t) => {
    const { pool } = startPool(t)
    const pending = jobOf('a', [1, 2], { hasRoom: () => false })
    pool.add(pending.job)

    await pool.close()
    const late = jobOf('b', [1])
    pool.add(late.job)

    for (const { job } of [pending, late]) await assert.rejects(job.finished, ({ code }: PdfError) => code === 'closed')
  })
})
