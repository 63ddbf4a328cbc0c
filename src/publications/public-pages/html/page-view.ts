import type { OutlineEntry } from '../../domain/document-facts.ts'
import type { PageLink } from '../../domain/page-content.ts'
import type { Block } from '../../domain/page-structure.ts'
import type { InterfaceLanguage } from './language.ts'

/** The address of an image and its width in pixels. */
export type ImageSource = { address: string; width: number }

/** The data of a page of the document in the public page. */
export type PageView = {
  /** The first is 1. */
  page: number
  /** The document's own label, if it is not the number. */
  label?: string
  /** The size of the default image, in pixels. */
  width: number
  height: number
  /** Ascending. */
  webp: ImageSource[]
  jpeg: string
  /** Paragraphs with the parts they play; undefined until the page has been read. */
  text?: Block[]
  /** The address of the full text, if it is too long for the page. */
  fullText?: string
  links: PageLink[]
  /** The code of the rendering failure. */
  failedCode?: string
}

/** A run of pages, both ends included. */
export type Part = { from: number; to: number }

/** The data of the public page. Addresses are absolute, except those of the stylesheet and scripts. */
export type PublicPageView = {
  language: InterfaceLanguage
  /** The whole page, or the form for frames on other sites. */
  form: 'page' | 'embed'
  title: string
  slug: string
  status: 'processing' | 'ready' | 'failed'
  failureCode?: string
  pageCount: number
  pagesReady: number
  sizeBytes: number
  createdAtMs: number
  updatedAtMs: number
  author?: string
  description?: string
  /** A valid language tag. */
  documentLanguage?: string
  outline: OutlineEntry[]
  part: Part
  previous?: Part
  next?: Part
  pages: PageView[]
  addresses: {
    /** The public page at its first part. */
    page: string
    embed: string
    oembed: string
    /** The publication in the API, to which `/events` and `/pages/<page>` are appended. */
    api: string
    download: string
    /** The first page's image, for link previews. */
    preview: { address: string; width: number; height: number }
  }
  assets: { style: string; script: string; reader?: string; firstPaint?: string }
}

/** Returns whether scripts turn the page into the reader. */
export function hasReader({ assets, status }: Pick<PublicPageView, 'assets' | 'status'>): boolean {
  return assets.reader !== undefined && status !== 'failed'
}
