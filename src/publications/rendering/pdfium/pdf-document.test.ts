import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { makePdf } from '../../../../test/support/make-pdf.ts'
import { encrypted, numberedPages } from '../../../../test/support/make-pdf-examples.ts'
import { openMadePdf } from '../../../../test/support/open-made-pdf.ts'
import { PdfError } from './pdf-error.ts'

async function refusalOf(t: { after: (end: () => void) => void }, bytes: Buffer): Promise<string> {
  try {
    await openMadePdf(t, bytes)
    return 'none'
  } catch (error) {
    return error instanceof PdfError ? error.code : String(error)
  }
}

describe('openPdf', () => {
  test('opens a document and counts its pages', async (t) => {
    const { pageCount } = await openMadePdf(t, numberedPages(7))

    assert.equal(pageCount, 7)
  })

  test('opens a document without its last lines', async (t) => {
    const whole = numberedPages(3)

    const { pageCount } = await openMadePdf(t, whole.subarray(0, whole.length - 21))

    assert.equal(pageCount, 3)
  })

  test('refuses what is no PDF', async (t) => {
    assert.equal(await refusalOf(t, Buffer.from('<html>not a document</html>')), 'not_a_pdf')
    assert.equal(await refusalOf(t, Buffer.alloc(0)), 'not_a_pdf')
  })

  test('refuses a document that asks for a password', async (t) => {
    assert.equal(await refusalOf(t, encrypted()), 'password_required')
  })

  test('refuses a document without pages', async (t) => {
    assert.equal(await refusalOf(t, makePdf({ pages: [] })), 'no_pages')
  })
})
