import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { makePdf } from '../../../../test/support/make-pdf.ts'
import { encrypted, numberedPages } from '../../../../test/support/make-pdf-examples.ts'
import { openMadePdf } from '../../../../test/support/open-made-pdf.ts'
import { temporaryFile } from '../../../../test/support/temporary-file.ts'
import { publicationsConfig } from '../../model/config.ts'
import { loadPdfium } from './load-pdfium.ts'
import { type FileSource, openFileSource, openPdf } from './pdf-document.ts'
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

  test('reads a document of the largest size that the settings allow, and they allow no larger one', async () => {
    const largest = publicationsConfig.maxUploadBytes.read('4294967295')
    const pdfium = await loadPdfium({ maxMemoryBytes: 256 * 1024 * 1024 })

    const document = openPdf(pdfium, sparseSource(largest))
    document.close()

    assert.equal(document.pageCount, 1)
    assert.throws(() => publicationsConfig.maxUploadBytes.read('4294967296'), {
      message: 'must be a whole number from 1 to 4294967295',
    })
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

const HEADER = Buffer.from('%PDF-1.7\n')
const OBJECTS = [
  '1 0 obj <</Type/Catalog/Pages 2 0 R>> endobj\n',
  '2 0 obj <</Type/Pages/Kids[3 0 R]/Count 1>> endobj\n',
  '3 0 obj <</Type/Page/Parent 2 0 R/MediaBox[0 0 200 100]>> endobj\n',
]

/** A document of one page at the end of a file of this size, with only blanks between its header and that. */
function sparseSource(size: number): FileSource {
  // All offsets have ten digits, so that the length does not depend on them.
  const start = size - endOf(4_000_000_000).length
  const end = endOf(start)
  return {
    size,
    read(position, target) {
      if (position + target.length > size) return false
      for (let at = 0; at < target.length; at++) target[at] = HEADER[position + at] ?? end[position + at - start] ?? 32
      return true
    },
    close() {},
  }
}

function endOf(start: number): Buffer {
  let offset = start
  const entries = OBJECTS.map((object) => {
    const entry = `${String(offset).padStart(10, '0')} 00000 n \n`
    offset += object.length
    return entry
  })
  const table = `xref\n0 4\n0000000000 65535 f \n${entries.join('')}trailer <</Size 4/Root 1 0 R>>\n`
  return Buffer.from(`${OBJECTS.join('')}${table}startxref\n${offset}\n%%EOF\n`)
}

function openBytes(t: { after: (end: () => void) => void }, bytes: Uint8Array) {
  const source = openFileSource(temporaryFile(t, bytes))
  t.after(() => source.close())
  return source
}

/** Larger than what a source keeps in memory. */
const LARGE = Uint8Array.from({ length: 6_000_000 }, (_, at) => (at * 7 + (at >> 8) * 13) % 251)

describe('openFileSource', () => {
  test('reads what is at a position, across its blocks and in any order', (t) => {
    const source = openBytes(t, LARGE)
    const target = new Uint8Array(100_000)

    for (const position of [0, 5_900_000, 65_500, 3_000_001, 1, 5_900_000]) {
      assert.ok(source.read(position, target))
      assert.deepEqual(target, LARGE.subarray(position, position + target.length))
    }
  })

  test('refuses what goes beyond the end of the file', (t) => {
    const source = openBytes(t, LARGE.subarray(0, 1000))

    assert.equal(source.size, 1000)
    assert.ok(source.read(900, new Uint8Array(100)))
    assert.ok(!source.read(901, new Uint8Array(100)))
  })
})
