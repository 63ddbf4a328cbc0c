import type { PageSize } from './image-size.ts'

/** The facts of a document that are known without rendering it. */
export type DocumentFacts = {
  pageCount: number
  pages: PageFacts[]
  outline: OutlineEntry[]
  metadata: Metadata
  /** A language tag such as `de-CH`, as the file states it. */
  language?: string
  /** True if the file describes its own structure, headings and reading order. */
  isTagged: boolean
  findings: Finding[]
}

/**
 * The size of a page as shown, after rotation. `label` is the document's own name for the page, unless it is its
 * number.
 */
export type PageFacts = PageSize & { label?: string }

/** An entry of the table of contents; `depth` 0 is the outermost, and an entry belongs to the last shallower one. */
export type OutlineEntry = { title: string; depth: number; page?: number; uri?: string }

export type Metadata = { title?: string; author?: string; subject?: string; keywords?: string; createdAt?: string }

/**
 * An ability of a file that a reader may want to know of before opening it. Rendering never carries any of them out.
 */
export type Finding = 'javascript' | 'launch_action' | 'open_action' | 'attachments' | 'encrypted' | 'xfa_form'
