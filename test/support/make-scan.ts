import sharp from 'sharp'
import { drawPage } from '../../src/publications/rendering/pages/render-page.ts'
import { withPage } from '../../src/publications/rendering/pdfium/pdf-document.ts'
import { FIRST_OBJECT, type MadePage, makePdf, stream } from './make-pdf.ts'
import { openMadePdf } from './open-made-pdf.ts'

/** Size of a page in points: a small one is recognised in half a second. */
const WIDTH_PT = 340
const HEIGHT_PT = 140
const DOTS_PER_POINT = 300 / 72

const MEDIA_BOX = `[0 0 ${WIDTH_PT} ${HEIGHT_PT}]`

/** Returns a page with lines of text in Helvetica of 12 points. Characters beyond ASCII are escaped as in PDF. */
export function linesOf(...lines: string[]): MadePage {
  const shown = lines.map((line, at) => `BT /F1 12 Tf 20 ${HEIGHT_PT - 30 - 18 * at} Td (${line}) Tj ET`)
  return { content: shown.join('\n'), mediaBox: MEDIA_BOX }
}

/**
 * Scans pages, of the given size, at 300 dots an inch: a PDF whose pages are JPEG pictures of them, without text.
 * `further` pages follow as they are.
 */
export async function makeScan(
  t: Parameters<typeof openMadePdf>[0],
  pages: MadePage[],
  further: MadePage[] = [],
  { widthPt, heightPt } = { widthPt: WIDTH_PT, heightPt: HEIGHT_PT },
): Promise<Buffer> {
  const pictures = await scanPages(t, pages, widthPt)
  const objects = pictures.map(({ jpeg, width, height }) => pictureOf(jpeg, width, height))
  return pdfOf(objects, further, { widthPt, heightPt })
}

/** Scans pages of a width at 300 dots an inch, as JPEG pictures. */
export async function scanPages(t: Parameters<typeof openMadePdf>[0], pages: MadePage[], widthPt = WIDTH_PT) {
  const document = await openMadePdf(t, makePdf({ pages }))
  const images = pages.map((_, at) =>
    withPage(document, at + 1, (page) => drawPage(document, page, Math.round(widthPt * DOTS_PER_POINT))),
  )
  return await Promise.all(
    images.map(async ({ data, width, height }) => {
      const raw = sharp(data, { raw: { width, height, channels: 3 } })
      return { jpeg: await raw.jpeg({ quality: 85 }).toBuffer(), width, height }
    }),
  )
}

function pictureOf(jpeg: Buffer, width: number, height: number): Buffer {
  const size = `/Width ${width} /Height ${height}`
  const form = '/ColorSpace /DeviceRGB /BitsPerComponent 8 /Filter /DCTDecode'
  return stream(jpeg, `/Type /XObject /Subtype /Image ${size} ${form}`)
}

function pdfOf(
  objects: Buffer[],
  further: MadePage[],
  { widthPt, heightPt }: { widthPt: number; heightPt: number },
): Buffer {
  const names = objects.map((_, at) => `/I${at} ${FIRST_OBJECT + at} 0 R`).join(' ')
  const scanned = objects.map((_, at) => ({
    content: `q ${widthPt} 0 0 ${heightPt} 0 0 cm /I${at} Do Q`,
    mediaBox: `[0 0 ${widthPt} ${heightPt}]`,
  }))
  return makePdf({ pages: [...scanned, ...further], objects, resources: `/XObject << ${names} >>` })
}
