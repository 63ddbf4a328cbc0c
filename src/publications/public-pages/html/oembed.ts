import { escapeHtml, html } from '#platform/http/server/html.ts'
import type { ImageSize } from '../../domain/image-size.ts'
import { SITE_NAME } from './page-head.ts'

/** The data of a publication that other sites embed. */
type Embeddable = {
  title: string
  author?: string
  embedAddress: string
  siteAddress: string
  thumbnail: ImageSize & { address: string }
}

type OembedLimits = { maxwidth?: number; maxheight?: number }

export type Oembed = {
  version: '1.0'
  type: 'rich'
  title: string
  author_name?: string
  provider_name: string
  provider_url: string
  cache_age: number
  width: number
  height: number
  html: string
  thumbnail_url?: string
  thumbnail_width?: number
  thumbnail_height?: number
}

const DEFAULT_WIDTH = 720
/** The header above the pages. */
const HEADER_HEIGHT = 56
/** Fits a common screen; longer pages scroll. */
const MAX_HEIGHT = 960
/** An hour: the title may change. */
const CACHE_AGE_SEC = 3_600

/**
 * Returns an answer of the `rich` type (https://oembed.com, 2.3.4.4): a frame of the
 * size of the first page, within the limits.
 */
export function oembed(publication: Embeddable, limits: OembedLimits): Oembed {
  const { title, author, embedAddress, siteAddress, thumbnail } = publication
  const width = Math.min(limits.maxwidth ?? DEFAULT_WIDTH, DEFAULT_WIDTH)
  const fullHeight = Math.round((width * thumbnail.height) / thumbnail.width) + HEADER_HEIGHT
  const height = Math.min(fullHeight, MAX_HEIGHT, limits.maxheight ?? MAX_HEIGHT)
  const fits = thumbnail.width <= (limits.maxwidth ?? Infinity) && thumbnail.height <= (limits.maxheight ?? Infinity)
  return {
    version: '1.0',
    type: 'rich',
    title,
    ...(author !== undefined && { author_name: author }),
    provider_name: SITE_NAME,
    provider_url: siteAddress,
    cache_age: CACHE_AGE_SEC,
    width,
    height,
    html: html`<iframe src="${embedAddress}" width="${width}" height="${height}" title="${title}" loading="lazy" allowfullscreen style="border:0;max-width:100%"></iframe>`
      .text,
    // The limits apply to the thumbnail as well.
    ...(fits && {
      thumbnail_url: thumbnail.address,
      thumbnail_width: thumbnail.width,
      thumbnail_height: thumbnail.height,
    }),
  }
}

/** Writes the answer as XML (https://oembed.com, 2.3.4.3.2). */
export function oembedXml(answer: Oembed): string {
  const members = Object.entries(answer).map(([name, value]) => `<${name}>${xmlText(String(value))}</${name}>\n`)
  return `<?xml version="1.0" encoding="utf-8" standalone="yes"?>\n<oembed>\n${members.join('')}</oembed>\n`
}

/** Escapes text for XML and replaces the control characters, which XML cannot hold (XML 1.0, 2.2). */
function xmlText(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the expression looks for them
  return escapeHtml(text.replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g, '\ufffd'))
}
