import { deflateSync } from 'node:zlib'
import { pageContentJson, type Word } from '../model/document-content.ts'
import { type PageText, wordOperators } from './text-layer.ts'

/** Pages with their sizes and their stored content (`encodePageContent`). */
export type LayTextTask = { page: number; widthPt: number; heightPt: number; words: Uint8Array }[]

/** Returns the text of pages as a PDF has it. The thread unpacks and reads up to megabytes of words. */
export async function layText(pages: LayTextTask): Promise<PageText[]> {
  const texts: PageText[] = []
  for (const { page, words, ...size } of pages) {
    const read = JSON.parse((await pageContentJson(words)).words.toString()) as Word[]
    texts.push({ page, operators: new Uint8Array(deflateSync(wordOperators(read, size))) })
  }
  return texts
}
