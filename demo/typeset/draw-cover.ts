import { FONTS } from './fonts.ts'
import { SHEET } from './sheet.ts'
import type { Tag } from './tag.ts'

/** The texts of a cover, and the shape of its picture: corners as fractions of a square, from its upper left. */
export type Cover = {
  title: string
  subtitle: string
  footer: string
  shape: readonly { x: number; y: number }[]
  /** Colours of the background and of the drawing. */
  colours: { ground: string; line: string; echo: string }
}

const PICTURE = { x: 150, y: 70, side: 390 }
/** Number of times the shape is drawn, each time wider and fainter. */
const ECHOES = 9
const QUIET = '#d3dbe2'

/** Draws the first page: the shape of a recorded route on a dark background, with the title below it. */
export function drawCover(
  document: PDFKit.PDFDocument,
  { title, subtitle, footer, shape, colours }: Cover,
  tag: Tag,
): void {
  document.markContent('Artifact', { type: 'Layout' })
  document.rect(0, 0, SHEET.width, SHEET.height).fill(colours.ground)
  for (let echo = ECHOES; echo >= 0; echo--) drawShape(document, { shape, colours }, echo)
  document.rect(SHEET.left, 548, 46, 3).fill(colours.line)
  document.endMarkedContent()
  tag.mark('Title', () => {
    document.font(FONTS.light).fontSize(36).fillColor('#ffffff')
    document.text(title, SHEET.left, 566, { width: 440, lineGap: -4 })
  })
  tag.mark('P', () => {
    document.font(FONTS.plain).fontSize(12.5).fillColor(QUIET)
    document.text(subtitle, SHEET.left, document.y + 12, { width: 400, lineGap: 2 })
  })
  tag.mark('P', () => {
    document.fontSize(9).fillColor(QUIET).text(footer, SHEET.left, 772, { lineBreak: false })
  })
}

function drawShape(
  document: PDFKit.PDFDocument,
  { shape, colours }: Pick<Cover, 'shape' | 'colours'>,
  echo: number,
): void {
  const { side } = PICTURE
  const grown = 1 + echo * 0.07
  for (const [i, { x, y }] of shape.entries()) {
    const place = [PICTURE.x + side * (0.5 + (x - 0.5) * grown), PICTURE.y + side * (0.5 + (y - 0.5) * grown)] as const
    if (i === 0) document.moveTo(...place)
    else document.lineTo(...place)
  }
  document
    .lineJoin('round')
    .lineCap('round')
    .lineWidth(echo === 0 ? 2.4 : 0.7)
  document.strokeOpacity(echo === 0 ? 1 : 0.5 * (1 - echo / (ECHOES + 1)))
  document.stroke(echo === 0 ? colours.line : colours.echo).strokeOpacity(1)
}
