import { FONTS, fontOf } from './fonts.ts'
import { type Line, layOutText } from './lay-out-text.ts'
import type { Inline } from './markdown.ts'
import { COLOURS, SHEET } from './sheet.ts'

/** Typesetting of a text; `x` and `width` in points from the left edge of the page. */
export type Setting = { size: number; leading: number; x: number; width: number; colour?: string; isBold?: boolean }

const LOWEST = SHEET.height - SHEET.bottom
/** The code font looks larger than the text font at the same size. */
const CODE_SCALE = 0.94
/** Position of the baseline within the height of a line. */
const BASELINE = 0.72

/** Writes text down the pages and tracks the current position. */
export class PageWriter {
  readonly document: PDFKit.PDFDocument
  y: number = SHEET.top
  readonly #resolve: (link: string) => string | undefined

  /** `resolve` returns the target of a link in the text. */
  constructor(document: PDFKit.PDFDocument, resolve: (link: string) => string | undefined) {
    this.document = document
    this.#resolve = resolve
  }

  /** Starts a new page if less than this height is left. */
  keepTogether(height: number): void {
    if (this.y + height <= LOWEST) return
    this.newPage()
  }

  newPage(): void {
    // An open tag continues on the next page.
    ;(this.document as PDFKit.PDFDocument & { continueOnNewPage(): void }).continueOnNewPage()
    this.y = SHEET.top
  }

  /** Lays out the lines of a text, so that their number is known before they are written. */
  layOut(text: readonly Inline[], setting: Setting): Line[] {
    return layOutText(text, setting.width, (part, style) => this.#measure(part, style, setting))
  }

  /** Writes lines below the previous content, on further pages if needed. */
  writeLines(lines: readonly Line[], setting: Setting): void {
    for (const line of lines) {
      this.keepTogether(setting.leading)
      this.drawLine(line, this.y, setting)
      this.y += setting.leading
    }
  }

  /** Draws one line at a given height. */
  drawLine(line: Line, y: number, setting: Setting): void {
    for (const run of line) {
      const x = setting.x + run.x
      const address = run.link === undefined ? undefined : this.#resolve(run.link)
      if (run.style === 'code') this.#shade(x, y, run.width, setting)
      this.#use(run.text, run.style, setting)
      const colour = address === undefined ? (setting.colour ?? COLOURS.ink) : COLOURS.link
      this.document
        .fillColor(colour)
        .text(run.text, x, y + setting.leading * BASELINE, { lineBreak: false, baseline: 'alphabetic' })
      if (address !== undefined) this.#link(address, { x, y, width: run.width, height: setting.leading })
    }
  }

  #link(address: string, { x, y, width, height }: { x: number; y: number; width: number; height: number }): void {
    if (address.startsWith('#')) this.document.goTo(x, y, width, height, address.slice(1))
    else this.document.link(x, y, width, height, address)
  }

  #shade(x: number, y: number, width: number, { leading, size }: Setting): void {
    this.document
      .roundedRect(x - 1.5, y + leading * BASELINE - size * 1.02, width + 3, size * 1.38, 2)
      .fill(COLOURS.tint)
  }

  #measure(text: string, style: Inline['style'], setting: Setting): number {
    this.#use(text, style, setting)
    return this.document.widthOfString(text)
  }

  #use(text: string, style: Inline['style'], { size, isBold }: Setting): void {
    const font = fontOf(text, style)
    this.document.font(isBold && font === FONTS.plain ? FONTS.bold : font)
    this.document.fontSize(font === FONTS.code ? size * CODE_SCALE : size)
  }
}
