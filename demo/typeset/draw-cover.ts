import { FONTS } from './fonts.ts'
import { COLOURS, SHEET } from './sheet.ts'
import type { Tag } from './tag.ts'

/** Words of a cover, and a shape for its picture: corners as parts of a square, from its upper left. */
export type Cover = { title: string; subtitle: string; footer: string; shape: readonly { x: number; y: number }[] }

const PICTURE = { x: 150, y: 70, side: 390 }
/** How often the shape is drawn, each time wider and fainter. */
const ECHOES = 9

/** The first page: the shape of a recorded route over the dark, with the title below it. */
export function drawCover(document: PDFKit.PDFDocument, { title, subtitle, footer, shape }: Cover, tag: Tag): void {
  document.markContent('Artifact', { type: 'Layout' })
  document.rect(0, 0, SHEET.width, SHEET.height).fill(COLOURS.night)
  for (let echo = ECHOES; echo >= 0; echo--) drawShape(document, shape, echo)
  document.rect(SHEET.left, 548, 46, 3).fill('#37c2b4')
  document.endMarkedContent()
  tag.mark('Title', () => {
    document.font(FONTS.light).fontSize(36).fillColor('#ffffff')
    document.text(title, SHEET.left, 566, { width: 440, lineGap: -4 })
  })
  tag.mark('P', () => {
    document.font(FONTS.plain).fontSize(12.5).fillColor('#b9cbd9')
    document.text(subtitle, SHEET.left, document.y + 12, { width: 400, lineGap: 2 })
  })
  tag.mark('P', () => {
    document.fontSize(9).fillColor('#7f97a9').text(footer, SHEET.left, 772, { lineBreak: false })
  })
}

function drawShape(document: PDFKit.PDFDocument, shape: Cover['shape'], echo: number): void {
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
  document.stroke(echo === 0 ? '#37c2b4' : '#4f8fb0').strokeOpacity(1)
}
