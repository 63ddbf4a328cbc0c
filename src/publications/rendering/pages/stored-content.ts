import { encodePageContent } from '../../domain/page-content.ts'
import { type RoledText, structuredText } from '../../domain/structured-text.ts'
import type { RenderedPage } from './render-page.ts'

/** The text of a page and the parts that its paragraphs play, and its words and links as they are stored. */
export type StoredContent = RoledText & { words: Uint8Array<ArrayBuffer> }

/** Returns what is stored of a rendered page besides its images. */
export function storedContent({ words, structure, links }: Omit<RenderedPage, 'image'>): StoredContent {
  // A copy: small buffers share their memory, which could not be transferred to another thread.
  return { ...structuredText(words, structure), words: new Uint8Array(encodePageContent({ words, links })) }
}
