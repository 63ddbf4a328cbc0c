import type { LoadedPages, NearPages } from '../document/loaded-pages.ts'
import type { ReaderData, ReaderStore } from '../document/reader-state.ts'
import type { Announcer } from '../messages.ts'
import type { ReaderTranslate } from '../texts.ts'
import type { Word } from './words.ts'

/** The document and the state of an open reader, from which its parts are made. */
export type ReaderDeps = {
  data: ReaderData
  /** True for a document whose pages are turned from right to left. */
  isRightToLeft: boolean
  t: ReaderTranslate
  /** The element with the pages. */
  main: HTMLElement
  /** The toolbar. */
  bar: HTMLElement
  store: ReaderStore
  announce: Announcer
  pages: LoadedPages
  nearPages: NearPages
  wordsOf(page: number): Promise<Word[]>
}
