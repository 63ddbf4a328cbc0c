import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { makePdf } from '../../../../test/support/make-pdf.ts'
import { active, circularOutline, numberedPages, outlined } from '../../../../test/support/make-pdf-examples.ts'
import { openMadePdf } from '../../../../test/support/open-made-pdf.ts'
import { bytesSource } from '../pdfium/pdf-document.ts'
import { PdfError } from '../pdfium/pdf-error.ts'
import { readFacts } from './document-facts.ts'

async function factsOf(t: { after: (end: () => void) => void }, bytes: Buffer, maxPages = 100) {
  return readFacts(await openMadePdf(t, bytes), bytesSource(bytes), maxPages)
}

describe('readFacts', () => {
  test('tells the sizes of the pages as they are shown, turned ones included', async (t) => {
    const bytes = makePdf({
      pages: [{}, { entries: '/Rotate 90' }, { entries: '/CropBox [100 100 300 200]' }, { mediaBox: '[0 0 0 0]' }],
    })

    const { pageCount, pages } = await factsOf(t, bytes)

    assert.equal(pageCount, 4)
    assert.deepEqual(
      pages.map(({ widthPt, heightPt }) => [widthPt, heightPt]),
      [
        [612, 792],
        [792, 612],
        [200, 100],
        [612, 792],
      ],
    )
  })

  test('tells title, author, language and what the pages are called', async (t) => {
    const { metadata, language, pages } = await factsOf(t, outlined())

    assert.deepEqual([metadata.title, metadata.author, language], ['Ein Titel', 'Müller', 'de-CH'])
    assert.deepEqual(
      pages.map(({ label }) => label),
      ['i', 'ii', '1'],
    )
  })

  test('tells nothing that no text may have', async (t) => {
    const info = '/Title <FEFF004100000042000AD800> /Author <FEFF0000>'

    const { metadata, language } = await factsOf(t, makePdf({ info, catalog: '/Lang <FEFF00640000D800>' }))

    assert.deepEqual([metadata.title, metadata.author, language], ['A B \ufffd', undefined, 'd \ufffd'])
  })

  test('lists the outline in its order with depths and targets', async (t) => {
    const { outline } = await factsOf(t, outlined())

    assert.deepEqual(outline, [
      { title: 'One', depth: 0, page: 1 },
      { title: 'One and a half', depth: 1, page: 3 },
      { title: 'Two', depth: 0, uri: 'https://example.org/two' },
    ])
  })

  test('reads an outline that leads in a circle once', async (t) => {
    const { outline } = await factsOf(t, circularOutline())

    assert.deepEqual(
      outline.map(({ title }) => title),
      ['One', 'Two'],
    )
  })

  test('finds scripts, programs to start, attachments and actions on opening', async (t) => {
    const { findings } = await factsOf(t, active())

    assert.deepEqual(findings, ['attachments', 'javascript', 'launch_action', 'open_action'])
  })

  test('finds nothing in a document that has nothing but pages', async (t) => {
    const { findings, outline, metadata } = await factsOf(t, numberedPages(2))

    assert.deepEqual([findings, outline, metadata.title], [[], [], undefined])
  })

  test('refuses a document with more pages than allowed', async (t) => {
    const isTooMany = (error: unknown) => error instanceof PdfError && error.code === 'too_many_pages'

    await assert.rejects(() => factsOf(t, numberedPages(4), 3), isTooMany)
  })
})
