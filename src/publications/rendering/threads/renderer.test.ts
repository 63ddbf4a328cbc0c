import assert from 'node:assert/strict'
import { describe, type TestContext, test } from 'node:test'
import { makePdf, showText } from '../../../../test/support/make-pdf.ts'
import { decompressionBomb, endlessDrawing, numberedPages } from '../../../../test/support/make-pdf-examples.ts'
import { temporaryFile } from '../../../../test/support/temporary-file.ts'
import { PdfError } from '../pdfium/pdf-error.ts'
import { BitmapPool, createRenderer, type PageResult, type RendererOptions } from './renderer.ts'

function rendererFor(t: TestContext, options: Partial<RendererOptions> = {}) {
  const renderer = createRenderer({ workers: 2, fonts: [], ...options })
  t.after(() => renderer.close())
  return renderer
}

function upTo(count: number): number[] {
  return Array.from({ length: count }, (_, at) => at + 1)
}

/** The text of a page, or the code of its failure. */
function summary(result: PageResult): string {
  return result.failed ?? result.content!.text
}

const hasCode = (code: string) => (error: unknown) => error instanceof PdfError && error.code === code

describe('inspect', () => {
  test('tells the facts of a document', async (t) => {
    const renderer = rendererFor(t)

    const { pageCount, pages } = await renderer.inspect(temporaryFile(t, numberedPages(3)))

    assert.deepEqual([pageCount, pages.length], [3, 3])
  })

  test('refuses what is no PDF, and goes on working', async (t) => {
    const renderer = rendererFor(t, { workers: 1 })

    await assert.rejects(renderer.inspect(temporaryFile(t, Buffer.from('text'))), hasCode('not_a_pdf'))
    assert.equal((await renderer.inspect(temporaryFile(t, numberedPages(1)))).pageCount, 1)
  })

  test('opens a document while every worker is at a page that does not end', async (t) => {
    const renderer = rendererFor(t, { workers: 1, pageDeadlineMs: 600_000 })
    const endless = renderer.renderPages(temporaryFile(t, endlessDrawing([1], 1)), [1], { width: 800, onPage() {} })
    endless.finished.catch(() => {})

    const { pageCount } = await renderer.inspect(temporaryFile(t, numberedPages(3)))

    assert.equal(pageCount, 3)
  })

  test('does not take a file that is not there for a damaged one', async (t) => {
    const renderer = rendererFor(t)

    await assert.rejects(renderer.inspect('/nowhere/at-all.pdf'), /ENOENT/)
  })
})

describe('renderPages', () => {
  test('hands over every page once, with its image and its content', async (t) => {
    const renderer = rendererFor(t)
    const results: PageResult[] = []

    const onPage = (result: PageResult) => results.push(result)
    await renderer.renderPages(temporaryFile(t, numberedPages(30)), upTo(30), { width: 100, onPage }).finished

    const sorted = results.sort((a, b) => a.page - b.page)
    assert.deepEqual(
      sorted.map(summary),
      upTo(30).map((page) => `Page ${page}`),
    )
    assert.ok(
      sorted.every(({ failed, ...page }) => failed === undefined && 'image' in page && page.image.width === 100),
    )
  })

  test('shows text in few greys in all images but the first', async (t) => {
    const renderer = rendererFor(t)
    const lines = Array.from({ length: 60 }, (_, line) =>
      showText('Grey text on white paper. '.repeat(4), 40, 760 - 12 * line, 10),
    )
    const path = temporaryFile(t, makePdf({ pages: [{ content: lines.join('\n') }] }))
    const greys: number[] = []

    for (const kind of ['pages', 'image', 'further-images'] as const) {
      const onPage = (result: PageResult) => greys.push(new Set('image' in result ? result.image.data : []).size)
      await renderer.renderPages(path, [1], { width: 1200, kind, onPage }).finished
    }

    assert.ok(greys[0] > 16)
    assert.deepEqual(greys.slice(1), [16, 16])
  })

  test('goes on after a page that does not end', async (t) => {
    const renderer = rendererFor(t, { pageDeadlineMs: 700 })
    const path = temporaryFile(t, endlessDrawing([2, 5], 6))
    const results = new Map<number, string>()

    const onPage = (result: PageResult) => results.set(result.page, summary(result))
    await renderer.renderPages(path, upTo(6), { width: 800, onPage }).finished

    assert.deepEqual(
      upTo(6).map((page) => results.get(page)),
      ['Page 1', 'timed_out', 'Page 3', 'Page 4', 'timed_out', 'Page 6'],
    )
  })

  test('goes on after a page that takes too much memory, and remembers it', async (t) => {
    const renderer = rendererFor(t, { maxMemoryBytes: 40 * 1024 * 1024, workers: 1 })
    const path = temporaryFile(t, decompressionBomb())
    const results: string[] = []

    const onPage = (result: PageResult) => results.push(`${result.page} ${summary(result)}`)
    await renderer.renderPages(path, [1, 2], { width: 100, onPage }).finished
    await renderer.renderPages(path, [1], { width: 100, onPage }).finished

    assert.deepEqual(results, ['1 out_of_memory', '2 Page 2', '1 out_of_memory'])
  })

  test('keeps a document to its share of time', async (t) => {
    const renderer = rendererFor(t, { pageDeadlineMs: 500, documentDeadlineMs: 100, workers: 1 })
    const path = temporaryFile(t, endlessDrawing([1], 3))
    const results: string[] = []

    const onPage = (result: PageResult) => results.push(summary(result))
    await renderer.renderPages(path, upTo(3), { width: 800, onPage }).finished

    assert.deepEqual(results, ['timed_out', 'timed_out', 'timed_out'])
  })

  test('renders a page that is asked for before the others that wait', async (t) => {
    const renderer = rendererFor(t, { workers: 1 })
    const order: number[] = []

    const run = renderer.renderPages(temporaryFile(t, numberedPages(20)), upTo(20), {
      width: 50,
      onPage: ({ page }) => {
        order.push(page)
        if (page === 3) run.prioritize(18)
      },
    })
    await run.finished

    assert.equal(order[0], 1)
    assert.ok(order.indexOf(18) <= 5, order.join(' '))
    assert.equal(new Set(order).size, 20)
  })

  test('starts a document that came later before another has ended', async (t) => {
    const renderer = rendererFor(t, { workers: 1 })
    // The worker has started: documents that wait for that long get one of their own.
    await renderer.inspect(temporaryFile(t, numberedPages(1)))
    const order: string[] = []

    const run = (name: string, count: number) =>
      renderer.renderPages(temporaryFile(t, numberedPages(count)), upTo(count), {
        width: 50,
        onPage: ({ page }) => order.push(`${name}${page}`),
      }).finished
    await Promise.all([run('a', 60), run('b', 2)])

    assert.ok(order.indexOf('b1') < order.indexOf('a10'), order.join(' '))
  })

  test('renders no more than a few pages ahead of who takes them', async (t) => {
    const renderer = rendererFor(t, { workers: 1 })
    const { promise: taken, resolve: take } = Promise.withResolvers<void>()
    let arrived = 0

    const onPage = async () => {
      arrived++
      await taken
    }
    const run = renderer.renderPages(temporaryFile(t, numberedPages(21)), upTo(21).slice(1), { width: 50, onPage })
    // Another document gets through meanwhile, which shows that the first one has come to a halt.
    await renderer.renderPages(temporaryFile(t, numberedPages(30)), upTo(30), { width: 50, onPage: () => {} }).finished
    const ahead = arrived
    take()
    await run.finished

    assert.equal(ahead, 4)
    assert.equal(arrived, 20)
  })

  test('stops when a page cannot be kept, and says why', async (t) => {
    const renderer = rendererFor(t)
    const failure = new Error('the disk is full')

    const onPage = ({ page }: PageResult) => {
      if (page === 2) throw failure
    }
    const run = renderer.renderPages(temporaryFile(t, numberedPages(50)), upTo(50), { width: 50, onPage })

    await assert.rejects(run.finished, failure)
  })

  test('stops when it is cancelled, before it starts and in between', async (t) => {
    const renderer = rendererFor(t, { workers: 1 })
    const path = temporaryFile(t, numberedPages(50))
    const controller = new AbortController()
    const pages: number[] = []

    const onPage = ({ page }: PageResult) => {
      pages.push(page)
      if (page === 2) controller.abort()
    }
    const options = { width: 50, onPage, signal: controller.signal }
    await assert.rejects(renderer.renderPages(path, upTo(50), options).finished, hasCode('cancelled'))
    await assert.rejects(renderer.renderPages(path, upTo(50), options).finished, hasCode('cancelled'))

    assert.deepEqual(pages, [1, 2])
  })

  test('has nothing to do for no pages', async (t) => {
    const renderer = rendererFor(t)

    await renderer.renderPages('/nowhere', [], { width: 50, onPage: () => assert.fail() }).finished
  })

  test('takes a fresh worker after so many pages, unseen by the caller', async (t) => {
    const renderer = rendererFor(t, { requestsPerWorker: 3, workers: 1 })
    const results: string[] = []

    const onPage = (result: PageResult) => results.push(summary(result))
    await renderer.renderPages(temporaryFile(t, numberedPages(10)), upTo(10), { width: 50, onPage }).finished

    assert.deepEqual(
      results,
      upTo(10).map((page) => `Page ${page}`),
    )
  })
})

describe('close', () => {
  test('ends a page that does not end, and everything that waits', async (t) => {
    const renderer = rendererFor(t, { workers: 1, pageDeadlineMs: 60_000 })
    const path = temporaryFile(t, endlessDrawing([2], 3))

    const run = renderer.renderPages(path, upTo(3), {
      width: 800,
      onPage: ({ page }) => void (page === 1 && setImmediate(() => renderer.close())),
    })

    await assert.rejects(run.finished, hasCode('closed'))
    await assert.rejects(renderer.inspect(path), hasCode('closed'))
  })
})

describe('BitmapPool', () => {
  test('gives returned memory out again, and one bitmap to one caller', () => {
    const pool = new BitmapPool()
    const [first, second] = [pool.take(), pool.take()]
    pool.give(first)

    assert.notEqual(first, second)
    assert.equal(pool.take(), first)
    assert.notEqual(pool.take(), first)
  })

  test('keeps few unused bitmaps, and none once rendering has ended', (t) => {
    t.mock.timers.enable({ apis: ['setTimeout'] })
    const pool = new BitmapPool()
    const taken = Array.from({ length: 50 }, () => pool.take())
    for (const bitmap of taken) pool.give(bitmap)
    const kept = pool.unused
    t.mock.timers.tick(10_000)

    assert.ok(kept > 0 && kept < 50)
    assert.equal(pool.unused, 0)
  })
})
