import { escapeHtml, html } from '#platform/http/server/html.ts'
import type { ImageSize } from '../../domain/image-size.ts'
import { SITE_NAME } from './page-head.ts'

/** A publication as other sites embed it. */
export type Embeddable = {
  title: string
  author?: string
  embedAddress: string
  siteAddress: string
  thumbnail: ImageSize & { address: string }
}

export type OembedLimits = { maxwidth?: number; maxheight?: number }

export type Oembed = Record<string, string | number>

const USUAL_WIDTH = 720
/** The line above the pages. */
const HEADER_HEIGHT = 56
/** A page of a usual screen; longer pages are scrolled. */
const MAX_HEIGHT = 960
/** How long the answer may be kept, in seconds: an hour, for a title may change. */
const CACHE_AGE_SEC = 3_600

/** The answer of the `rich` type (https://oembed.com, 2.3.4.4): a frame as large as the first page, within the limits. */
export function oembed(publication: Embeddable, limits: OembedLimits): Oembed {
  const { title, author, embedAddress, siteAddress, thumbnail } = publication
  const width = Math.min(limits.maxwidth ?? USUAL_WIDTH, USUAL_WIDTH)
  const wanted = Math.round((width * thumbnail.height) / thumbnail.width) + HEADER_HEIGHT
  const height = Math.min(wanted, MAX_HEIGHT, limits.maxheight ?? MAX_HEIGHT)
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
    // A thumbnail must keep to the limits as well.
    ...(fits && {
      thumbnail_url: thumbnail.address,
      thumbnail_width: thumbnail.width,
      thumbnail_height: thumbnail.height,
    }),
  }
}

/** The same as XML (https://oembed.com, 2.3.4.3.2). */
export function oembedXml(answer: Oembed): string {
  const members = Object.entries(answer).map(([name, value]) => `<${name}>${xmlText(String(value))}</${name}>\n`)
  return `<?xml version="1.0" encoding="utf-8" standalone="yes"?>\n<oembed>\n${members.join('')}</oembed>\n`
}

/** XML has no way to write control characters (XML 1.0, 2.2). */
function xmlText(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
  return escapeHtml(text.replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g, '\ufffd'))
}
