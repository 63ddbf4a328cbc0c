import assert from 'node:assert/strict'
import { describe, type TestContext, test } from 'node:test'
import { setImmediate as turn } from 'node:timers/promises'
import { PdfError } from './pdfium/pdf-error.ts'
import { type PrepareDocumentDeps, PreparedDocuments, type PreparedDocumentsOptions } from './prepared-documents.ts'

type Gates = Record<string, Promise<void>>

/** Preparations with a renderer that opens every document but those named `broken`, each once its gate has opened. */
function start(t: TestContext, options: Partial<PreparedDocumentsOptions> = {}, gates: Gates = {}) {
  const asked: string[] = []
  const ends: string[] = []
  const deps = {
    localDocuments: { localDocument: async (path: string) => ({ path, [Symbol.asyncDispose]: async () => {} }) },
    renderer: {
      async inspect(path: string) {
        asked.push(`inspect ${path}`)
        await gates[path]
        if (path === 'broken') throw new PdfError('not_a_pdf')
        return { pageCount: 1, title: path }
      },
      renderPages(path: string, pages: number[], { onPage }: { onPage(result: object): Promise<void> }) {
        asked.push(`page ${pages} of ${path}`)
        const image = { width: 8, height: 8, data: new Uint8Array(8 * 8 * 3) }
        const failed = path === 'damaged' ? { failed: 'page_damaged', reason: '' } : {}
        const content = { text: '', roles: null, words: new Uint8Array() }
        return { finished: onPage({ page: 1, image, content, free() {}, ...failed }), prioritize() {} }
      },
    },
    metrics: { ended: (end: string) => ends.push(end) },
  }
  const documents = new PreparedDocuments(deps as unknown as PrepareDocumentDeps & typeof deps, {
    lifeMs: 60_000,
    ...options,
  })
  t.after(() => documents.close())
  return { documents, asked, ends }
}

describe('PreparedDocuments', () => {
  test('opens an uploaded document and renders its first page, once for all that follows', async (t) => {
    const { documents, asked, ends } = start(t)

    documents.begin('a', 'workspace')
    const facts = [await documents.facts('a'), await documents.facts('a')]
    const page = await documents.takePage('a')

    assert.deepEqual(asked, ['inspect a', 'page 1 of a'])
    assert.deepEqual(facts, Array(2).fill({ pageCount: 1, title: 'a' }))
    assert.equal(Buffer.from(page!.image).subarray(0, 2).toString('hex'), 'ffd8')
    assert.deepEqual(ends, ['used'])
  })

  test('forgets a document with its page', async (t) => {
    const { documents } = start(t)
    documents.begin('a', 'workspace')
    await documents.takePage('a')

    assert.deepEqual(
      [await documents.facts('a'), await documents.takePage('a'), documents.bytes],
      [undefined, undefined, 0],
    )
  })

  test('gives what is still being prepared to those who wait for it', async (t) => {
    const gate = Promise.withResolvers<void>()
    const { documents } = start(t, {}, { a: gate.promise })
    documents.begin('a', 'workspace')

    const waiting = [documents.facts('a'), documents.takePage('a')] as const
    gate.resolve()
    const [facts, page] = await Promise.all(waiting)

    assert.equal(facts?.pageCount, 1)
    assert.ok(page !== undefined)
  })

  test('knows nothing of a document that cannot be opened, which is inspected again on creating', async (t) => {
    const { documents, ends } = start(t)
    documents.begin('broken', 'workspace')

    assert.equal(await documents.facts('broken'), undefined)
    await turn()
    assert.deepEqual([await documents.takePage('broken'), documents.bytes, ends], [undefined, 0, ['failed']])
  })

  test('keeps the facts of a document whose first page cannot be rendered', async (t) => {
    const { documents, ends } = start(t)
    documents.begin('damaged', 'workspace')

    assert.equal((await documents.facts('damaged'))?.pageCount, 1)
    assert.equal(await documents.takePage('damaged'), undefined)
    assert.deepEqual(ends, ['failed'])
  })

  test('forgets a document that nobody publishes during its life', async (t) => {
    t.mock.timers.enable({ apis: ['setTimeout'] })
    const { documents, ends } = start(t, { lifeMs: 7_200_000 })
    documents.begin('a', 'workspace')
    await documents.facts('a')

    t.mock.timers.tick(7_199_999)
    const before = documents.bytes
    t.mock.timers.tick(1)

    assert.ok(before > 0)
    assert.deepEqual([documents.bytes, await documents.facts('a'), ends], [0, undefined, ['expired']])
  })

  test('makes room by the oldest document of the workspace that takes most', async (t) => {
    const { documents, asked, ends } = start(t, { maxBytes: 3 * 131_072 })
    documents.begin('a', 'one')
    for (const key of ['b', 'c', 'd']) documents.begin(key, 'many')
    while (!asked.includes('page 1 of d')) await turn()

    const kept = await Promise.all(['a', 'b', 'c', 'd'].map(async (key) => (await documents.facts(key)) !== undefined))

    assert.deepEqual(kept, [true, false, true, true])
    assert.deepEqual(ends, ['displaced'])
    assert.ok(documents.bytes <= 3 * 131_072)
  })

  test('prepares one document at a time, and the workspaces in turns', async (t) => {
    const gate = Promise.withResolvers<void>()
    const { documents, asked } = start(t, {}, { a: gate.promise })
    for (const key of ['a', 'b', 'c']) documents.begin(key, 'one')
    documents.begin('d', 'other')
    await turn()
    const whileBusy = [...asked]

    gate.resolve()
    while (asked.length < 8) await turn()

    assert.deepEqual(whileBusy, ['inspect a'])
    assert.deepEqual(
      asked.filter((name) => name.startsWith('inspect')),
      ['inspect a', 'inspect b', 'inspect d', 'inspect c'],
    )
  })

  test('lets a document that is published before its turn go ahead', async (t) => {
    const gate = Promise.withResolvers<void>()
    const { documents, asked, ends } = start(t, {}, { a: gate.promise })
    documents.begin('a', 'workspace')
    documents.begin('b', 'workspace')

    const facts = await documents.facts('b')
    gate.resolve()
    await documents.takePage('a')

    assert.equal(facts, undefined)
    assert.deepEqual(ends, ['overtaken', 'used'])
    assert.ok(!asked.includes('inspect b'))
  })
})
