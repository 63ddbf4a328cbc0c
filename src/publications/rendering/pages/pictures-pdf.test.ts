import assert from 'node:assert/strict'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import sharp, { type Sharp } from 'sharp'
import type { PictureFormat } from '#platform/basics/load-sharp.ts'
import { makePdf } from '../../../../test/support/make-pdf.ts'
import { openMadePdf } from '../../../../test/support/open-made-pdf.ts'
import { PagesPdf } from '../../sources/pages-pdf.ts'
import { readPicture } from '../../sources/read-picture.ts'
import { bytesSource, withPage } from '../pdfium/pdf-document.ts'
import { drawPicture, readPicturesPdf } from './pictures-pdf.ts'
import { drawPage } from './render-page.ts'

/** A picture whose corners have different colours. */
function corners(): Sharp {
  const [width, height] = [330, 470]
  const data = Buffer.alloc(3 * width * height)
  for (let y = 0, at = 0; y < height; y++)
    for (let x = 0; x < width; x++, at += 3) data.set([(255 * x) / width, (255 * y) / height, x < 165 ? 40 : 200], at)
  return sharp(data, { raw: { width, height, channels: 3 } })
}

/** Returns the PDF that is made of pictures; `undefined` stands for a page that cannot be read. */
async function pdfOf(pictures: ([PictureFormat, Buffer] | undefined)[]): Promise<Buffer> {
  const folder = mkdtempSync(join(tmpdir(), 'pictures-'))
  const path = join(folder, 'pages.pdf')
  try {
    await using file = await open(path, 'w')
    const pdf = new PagesPdf(file)
    await pdf.begin()
    for (const picture of pictures) {
      if (picture === undefined) pdf.addUnreadablePage()
      else for await (const page of readPicture(picture[1], picture[0], 1)) await pdf.addPage(page as never)
    }
    await pdf.finish({})
    return readFileSync(path)
  } finally {
    rmSync(folder, { recursive: true })
  }
}

describe('drawPicture', () => {
  test('draws a page as PDFium does, at any width, and leaves other pages to it', async (t) => {
    const pdf = await pdfOf([
      ['jpeg', await corners().jpeg({ quality: 95 }).toBuffer()],
      ['jpeg', await corners().greyscale().jpeg({ quality: 95 }).toBuffer()],
      undefined,
      ['jpeg', await corners().jpeg().withMetadata({ orientation: 6 }).toBuffer()],
      ['jpeg', await corners().withIccProfile('p3').jpeg().toBuffer()],
      ['png', await corners().png().toBuffer()],
      ['jpeg', (await corners().jpeg().toBuffer()).fill(0xfe, 400, 600)],
    ])
    const pictures = readPicturesPdf(bytesSource(pdf))!
    const document = await openMadePdf(t, pdf)
    const drawn: number[] = []

    for (let page = 1; page <= document.pageCount; page++) {
      for (const width of [100, 640]) {
        const image = await drawPicture(pictures, page, width)
        if (image === undefined) continue
        const byPdfium = withPage(document, page, (pointer) => drawPage(document, pointer, width))
        assert.deepEqual([image.width, image.height], [byPdfium.width, byPdfium.height])
        let difference = 0
        for (const [at, value] of image.data.entries()) difference += Math.abs(value - byPdfium.data[at])
        assert.ok(page === 7 || difference / image.data.length < 4, `page ${page} differs by ${difference}`)
        drawn.push(page)
      }
    }

    assert.deepEqual(
      drawn.filter((page) => page !== 7),
      [1, 1, 2, 2],
    )
    const memory = new SharedArrayBuffer(100 * 143 * 3)
    assert.equal((await drawPicture(pictures, 1, 100, memory))!.data.buffer, memory)
  })

  test('gives nothing but JPEGs to the decoders of pictures', async () => {
    const png = await sharp({ create: { width: 9, height: 9, channels: 3, background: 'red' } })
      .png()
      .toBuffer()
    const pdf = await pdfOf([['jpeg', await corners().jpeg().toBuffer()]])
    const start = pdf.indexOf(Buffer.from([0xff, 0xd8, 0xff]))
    const end = pdf.indexOf('\nendstream', start)
    pdf.fill(0, start, end).set(png, start)

    assert.equal(await drawPicture(readPicturesPdf(bytesSource(pdf))!, 1, 60), undefined)
  })

  test('knows only the PDFs that were made of pictures here', async () => {
    const pdf = await pdfOf([['jpeg', await corners().jpeg().toBuffer()]])
    const changed = Buffer.concat([pdf, Buffer.from('1 0 obj\n<<>>\nendobj\n')])

    assert.equal(readPicturesPdf(bytesSource(makePdf({}))), undefined)
    assert.equal(readPicturesPdf(bytesSource(changed)), undefined)
    assert.equal(readPicturesPdf(bytesSource(pdf.subarray(0, 100))), undefined)
    assert.equal(readPicturesPdf(bytesSource(Buffer.alloc(0))), undefined)
    assert.equal(readPicturesPdf(bytesSource(pdf))!.page(2), undefined)
  })
})
