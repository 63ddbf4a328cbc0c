import type { OutlineEntry } from '../../domain/document-facts.ts'
import type { PageLink } from '../../domain/page-content.ts'
import type { InterfaceLanguage } from './language.ts'

/** An address of an image and its width in pixels. */
export type ImageSource = { address: string; width: number }

/** A page as it is written into the public page. */
export type PageView = {
  /** The first is 1. */
  page: number
  /** What the document calls it, where that is not its number. */
  label?: string
  /** Of the usual image, in pixels. */
  width: number
  height: number
  /** Ascending. */
  webp: ImageSource[]
  jpeg: string
  /** Paragraphs; undefined while the page is still to be read. */
  text?: string[]
  /** Where the rest of a text is that is too long for the page. */
  wholeText?: string
  links: PageLink[]
  /** Code of why it could not be rendered. */
  failedCode?: string
}

/** A run of pages, both ends included. */
export type Part = { from: number; to: number }

/** All that the public page is made of. Addresses are absolute, but for those of the stylesheet and the script. */
export type PublicPageView = {
  language: InterfaceLanguage
  /** Whole, or for a frame in a page of others. */
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
  /** A valid tag. */
  documentLanguage?: string
  outline: OutlineEntry[]
  part: Part
  previous?: Part
  next?: Part
  pages: PageView[]
  addresses: {
    /** The page of the publication's beginning. */
    page: string
    embed: string
    oembed: string
    /** The publication in the API, to which `/events` and `/pages/<page>` are added. */
    api: string
    download: string
    /** The first page, as other sites show it. */
    preview: { address: string; width: number; height: number }
  }
  assets: { style: string; script: string; reader?: string; returning?: string }
}

/** Whether the page becomes the reader where scripts run. */
export function hasReader({ assets, status }: Pick<PublicPageView, 'assets' | 'status'>): boolean {
  return assets.reader !== undefined && status !== 'failed'
}
