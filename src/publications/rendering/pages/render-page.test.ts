import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { type MadePage, makePdf, pageReference, showText } from '../../../../test/support/make-pdf.ts'
import { openMadePdf } from '../../../../test/support/open-made-pdf.ts'
import { PdfError } from '../pdfium/pdf-error.ts'
import { type PageImage, renderPage, sharpEdgesPerRow } from './render-page.ts'

async function render(t: { after: (end: () => void) => void }, page: MadePage, width = 612) {
  return renderPage(await openMadePdf(t, makePdf({ pages: [page, {}] })), 1, width)
}

/** Red, green and blue at a place given in parts of the page. */
function colorAt({ width, height, data }: PageImage, x: number, y: number): number[] {
  const at = 3 * (Math.floor(y * height) * width + Math.floor(x * width))
  return [...data.subarray(at, at + 3)]
}

const RED = [255, 0, 0]
const WHITE = [255, 255, 255]

/** A red square in the upper left corner of a page of 600 by 600. */
const redCorner = { mediaBox: '[0 0 600 600]', content: '1 0 0 rg 0 300 300 300 re f' }

describe('renderPage', () => {
  test('draws the page red first, on white, at the wanted width', async (t) => {
    const { image } = await render(t, redCorner, 333)

    assert.deepEqual([image.width, image.height, image.data.length], [333, 333, 333 * 333 * 3])
    assert.deepEqual([colorAt(image, 0.25, 0.25), colorAt(image, 0.75, 0.25)], [RED, WHITE])
  })

  test('turns the page as it is to be shown', async (t) => {
    const { image } = await render(t, { ...redCorner, entries: '/Rotate 90' })

    assert.deepEqual([colorAt(image, 0.75, 0.25), colorAt(image, 0.25, 0.25)], [RED, WHITE])
  })

  test('draws letters with grey edges, never with coloured ones', async (t) => {
    const { image } = await render(t, { content: showText('Wave') })

    const greys = new Set(image.data)
    const coloured = image.data.findIndex((value, at) => at % 3 !== 0 && value !== image.data[at - 1])
    assert.ok(greys.size > 10)
    assert.equal(coloured, -1)
  })

  test('draws a page of many pixels in bands that show no seams', async (t) => {
    const lines = '1 0 0 rg 0 0 m 100 0 l 600 600 l 500 600 l f'

    const { image } = await render(t, { mediaBox: '[0 0 600 600]', content: lines }, 3600)

    // Down the middle of the slanted bar every row is red at the place where the bar passes.
    const isRed = Array.from({ length: 100 }, (_, row) => {
      const y = (row + 0.5) / 100
      return colorAt(image, (1 - y) * (5 / 6) + 1 / 12, y)[1] === 0
    })
    assert.deepEqual(isRed, Array(100).fill(true))
  })

  test('draws what is written in form fields', async (t) => {
    const field =
      '<< /Type /Annot /Subtype /Widget /FT /Tx /T (a) /V (WWWW) /DA (/Helv 40 Tf 0 g) /Rect [100 100 500 300] /MK << /BG [1 0 0] >> >>'

    const { image } = await renderPage(
      await openMadePdf(
        t,
        makePdf({
          pages: [{ mediaBox: '[0 0 600 600]', annotations: ['10 0 R'] }],
          catalog: '/AcroForm << /Fields [10 0 R] /NeedAppearances true /DR << /Font << /Helv 3 0 R >> >> >>',
          objects: [field],
        }),
      ),
      1,
      600,
    )

    assert.deepEqual(colorAt(image, 0.8, 0.55), RED)
  })

  test('tells the words with their lines and places', async (t) => {
    const { words } = await render(t, { content: `${showText('Hello world', 0, 396, 24)} ${showText('End', 306, 0)}` })

    assert.deepEqual(
      words.map(({ text, line }) => [text, line]),
      [
        ['Hello', 0],
        ['world', 0],
        ['End', 1],
      ],
    )
    const [hello, world, end] = words
    assert.ok(hello.x < 0.01 && hello.y < 0.5 && hello.y + hello.height > 0.5, JSON.stringify(hello))
    assert.ok(world.x > hello.x + hello.width)
    assert.ok(Math.abs(end.x - 0.5) < 0.01 && end.y > 0.9 && end.y + end.height <= 1, JSON.stringify(end))
  })

  test('ends the line where a word is divided', async (t) => {
    const content = `${showText('A word is divi-', 72, 700)} ${showText('ded here', 72, 670)}`

    const { words } = await render(t, { content })

    assert.deepEqual(
      words.map(({ text, line }) => [text, line]),
      [
        ['A', 0],
        ['word', 0],
        ['is', 0],
        ['divi-', 0],
        ['ded', 1],
        ['here', 1],
      ],
    )
    assert.ok(words[3].x > words[2].x && words[4].x < words[3].x)
  })

  test('places words on the page as it is shown, turned and cropped', async (t) => {
    const content = showText('Here', 150, 150, 12)
    const entries = '/Rotate 180 /CropBox [100 100 300 300]'

    const { words } = await render(t, { content, entries })

    const [{ x, y, width }] = words
    assert.ok(x + width > 0.74 && x + width < 0.76 && y > 0.2 && y < 0.3, JSON.stringify(words))
  })

  test('tells the links to pages and to addresses, and no others', async (t) => {
    const link = (left: number, target: string) =>
      `<< /Type /Annot /Subtype /Link /Rect [${left} 0 ${left + 61.2} 79.2] ${target} >>`
    const annotations = [
      link(0, `/Dest [${pageReference(2)} /Fit]`),
      link(100, '/A << /S /URI /URI (https://example.org/) >>'),
      link(200, '/A << /S /URI /URI (javascript:alert\\(1\\)) >>'),
      link(300, '/A << /S /Launch /F (calc.exe) >>'),
      link(400, '/A << /S /GoToR /F (https://example.org/other.pdf) /D [0 /Fit] >>'),
      link(500, '/A << /S /URI /URI (data:text/html,hello) >>'),
    ]

    const { links } = await render(t, { annotations })

    assert.deepEqual(
      links.map(({ page, uri }) => page ?? uri),
      [2, 'https://example.org/'],
    )
    assert.deepEqual({ ...links[0], page: undefined }, { x: 0, y: 0.9, width: 0.1, height: 0.1, page: undefined })
  })

  test('makes links of addresses that stand in the text', async (t) => {
    const { links } = await render(t, { content: showText('see https://example.org/x now', 72, 700, 12) })

    assert.deepEqual(
      links.map(({ uri }) => uri),
      ['https://example.org/x'],
    )
    const [{ x, y, width, height }] = links
    assert.ok(x > 0.14 && x + width < 0.4 && y > 0.09 && y + height < 0.13, JSON.stringify(links))
  })

  test('refuses a page that is not there', async (t) => {
    const document = await openMadePdf(t, makePdf({}))

    assert.throws(() => renderPage(document, 2, 100), new PdfError('page_damaged'))
  })
})

/** Returns the pixels of an image whose grey is a function of the column. */
function columns(width: number, height: number, greyAt: (column: number) => number): Uint8Array {
  return Uint8Array.from({ length: 3 * width * height }, (_, at) => greyAt(Math.floor(at / 3) % width))
}

describe('sharpEdgesPerRow', () => {
  test('counts the changes from dark to light and back', () => {
    const stripes = columns(120, 20, (column) => (column % 10 < 5 ? 0 : 255))

    assert.equal(sharpEdgesPerRow({ width: 120, height: 20 }, stripes), 23)
  })

  test('counts the same at twice the width', () => {
    const stripes = columns(240, 40, (column) => (column % 20 < 10 ? 0 : 255))

    assert.equal(sharpEdgesPerRow({ width: 240, height: 40 }, stripes), 23)
  })

  test('counts no edges in a gradient, or from one row to the next', () => {
    const gradient = columns(256, 16, (column) => column)

    assert.equal(sharpEdgesPerRow({ width: 256, height: 16 }, gradient), 0)
  })
})
