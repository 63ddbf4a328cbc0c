import { buffer } from 'node:stream/consumers'
import PDFDocument from 'pdfkit'
import { drawContents } from './draw-contents.ts'
import { type Cover, drawCover } from './draw-cover.ts'
import { drawFooters } from './draw-footers.ts'
import { registerFonts } from './fonts.ts'
import type { Block } from './markdown.ts'
import { PageWriter } from './page-writer.ts'
import { SHEET } from './sheet.ts'
import { openStructure } from './tag.ts'
import { writeBlocks } from './write-blocks.ts'

const CONTENTS_PAGE = 1
const DEEPEST_IN_CONTENTS = 3
/** With more headings than this, the table of contents omits subheadings. */
const MAX_HEADINGS = 30

/**
 * Typesets an English text as a tagged PDF: cover, contents, bookmarks, page numbers, links. Links with a scheme lead
 * to the web and `#…` to a heading. Links to other files are dropped.
 */
export async function typesetDocument(cover: Cover, blocks: readonly Block[]): Promise<Buffer> {
  const document = new PDFDocument({
    size: 'A4',
    margin: 0,
    bufferPages: true,
    tagged: true,
    displayTitle: true,
    lang: 'en',
    pdfVersion: '1.7',
    info: { Title: cover.title, Subject: cover.subtitle, Creator: 'Trackpress', Producer: 'Trackpress' },
  })
  const written = buffer(document)
  registerFonts(document)
  const { tag, end } = openStructure(document)
  drawCover(document, cover, tag.within('Sect'))
  document.addPage()
  const contents = tag.within('Sect')
  document.addPage()
  const writer = new PageWriter(document, (link) => (/^(https?:|#)/.test(link) ? link : undefined))
  writer.y = SHEET.top
  const entries = writeBlocks(writer, blocks, tag.within('Sect')).filter(({ level }) => level > 1)
  const top = entries.filter(({ level }) => level === 2)
  document.switchToPage(CONTENTS_PAGE)
  const shown = entries.filter(({ level }) => level <= DEEPEST_IN_CONTENTS)
  drawContents(document, shown.length <= MAX_HEADINGS ? shown : top, contents)
  end()
  drawFooters(document, cover.title)
  document.end()
  return await written
}
