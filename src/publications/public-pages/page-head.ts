import { hash } from 'node:crypto'
import { formatDateTime } from '#platform/basics/time.ts'
import { documentHead, fileLinks, Html, html, scriptJson } from '#platform/pages/html.ts'
import { CARD_SIZE } from '../delivery/drawn-images.ts'
import { accentFile } from './face-view.ts'
import type { InterfaceTranslate } from './interface-texts.ts'
import { sourceSet } from './page-section.ts'
import { hasReader, type Layout, leadingPage, type PublicPageView, partQuery, sizesOf } from './page-view.ts'

export const SITE_NAME = 'Trackpress'

/** Returns the icon of pages, a sheet of paper in a colour. */
const iconOf = (color: string) =>
  `data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 16 16'%3E%3Cpath d='M3 1h7l3 3v11H3z' fill='%23${color.slice(1)}'/%3E%3Cpath d='M5 7h6M5 9.5h6M5 12h4' stroke='%23fff'/%3E%3C/svg%3E`
const DEFAULT_COLOR = '#0f766e'

/** Interval at which a page without scripts reloads while the document is being prepared. */
const REFRESH_SEC = 5

/** The stylesheet of pages, the folder that it is in, and the colour of the workspace if it has one. */
type HeadStyle = { style: string; folder?: string; color?: string }

/** Writes the head that all pages share. */
export function commonHead(title: string, { style, folder, color }: HeadStyle, rest: Html): Html {
  const files = fileLinks({ style, icon: iconOf(color ?? DEFAULT_COLOR) })
  const accent = color !== undefined && html`\n<link rel="stylesheet" href="${folder}/${accentFile(color)}">`
  return documentHead({ title, rest: html`${rest}\n${files}${accent}` })
}

/**
 * Runs before anything is fetched. The server does not see the page in `#page-200`, and sends the image of the first
 * one in front of all others; for `?page=200` it begins with that page. An address that is reloaded or returned to
 * stays, as the reader restores its exact place.
 */
const NAMED_PAGE_SCRIPT = new Html(`{
const [, page] = /^#page-([1-9]\\d{0,6})$/.exec(location.hash) ?? []
const query = new URLSearchParams(location.search)
const isThere = Number(document.currentScript.dataset.pages) >= page
const isFirstVisit = performance.getEntriesByType('navigation')[0]?.type === 'navigate'
if ([page > 1, isThere, isFirstVisit, !query.has('page')].every(Boolean)) {
  stop()
  query.delete('from')
  query.set('page', page)
  location.replace('?' + query)
}
}`)

/** The source of the script in the head, for a content security policy. */
export const NAMED_PAGE_SOURCE = `'sha256-${hash('sha256', NAMED_PAGE_SCRIPT.text, 'base64')}'`

/** Writes the head of a publication's page, for browsers, search engines and link previews. */
export function publicationHead(view: PublicPageView, layout: Layout, t: InterfaceTranslate): Html {
  const { addresses, part, previous, next, status, form } = view
  const isIndexed = status === 'ready' && form === 'page' && view.isForEveryone
  const isWhole = previous === undefined && next === undefined
  const title = isWhole ? view.title : `${isolated(view.title)} (${part.from}–${part.to})`
  return commonHead(
    title,
    { ...view.assets, color: view.face?.color },
    html`${namedPageScript(view)}${preload(view, layout)}
<link rel="canonical" href="${addresses.page}${partQuery(part)}">
${previous !== undefined && html`<link rel="prev" href="${addresses.part(previous)}">\n`}${next !== undefined && html`<link rel="next" href="${addresses.part(next)}">\n`}${!isIndexed && html`<meta name="robots" content="noindex">\n`}${
  status === 'processing' && html`<noscript><meta http-equiv="refresh" content="${REFRESH_SEC}"></noscript>\n`
}${view.description !== undefined && html`<meta name="description" content="${view.description}">\n`}${view.author !== undefined && html`<meta name="author" content="${view.author}">\n`}${!view.isOffline && linkPreviews(view, t)}
${view.allowsDownload && html`<link rel="alternate" type="application/pdf" href="${addresses.download}">\n`}<script type="application/ld+json">${scriptJson(structuredData(view))}</script>${hasReader(view) && html`${view.firstView !== 'scroll' && html`\n<meta name="first-view" content="${view.firstView}">`}\n<script src="${view.assets.firstPaint}"></script>`}`,
  )
}

/**
 * Returns the `Link` header that makes browsers fetch the first page image and the stylesheet before they parse the
 * HTML.
 */
export function preloadHeader(view: PublicPageView, layout: Layout): string {
  const { assets } = view
  const style = `<${assets.style}>; rel=preload; as=style`
  const first = leadingPage(view)
  if (first === undefined) return style
  const { address } = first.webp.at(-1)!
  const image = `<${address}>; rel=preload; as=image; type="image/webp"; imagesrcset="${sourceSet(first.webp)}"; imagesizes="${sizesOf(first, layout, view)}"; fetchpriority=high`
  return `${image}, ${style}`
}

/** A folder has all its pages at hand. */
function namedPageScript(view: PublicPageView): Html | undefined {
  if (view.isOffline || view.openAt !== undefined || !hasReader(view)) return undefined
  return html`<script data-pages="${view.pageCount}">${NAMED_PAGE_SCRIPT}</script>\n`
}

function preload(view: PublicPageView, layout: Layout): Html | undefined {
  const first = leadingPage(view)
  return first === undefined
    ? undefined
    : html`<link rel="preload" as="image" type="image/webp" href="${first.webp.at(-1)!.address}" imagesrcset="${sourceSet(first.webp)}" imagesizes="${sizesOf(first, layout, view)}" fetchpriority="high">`
}

/** Writes the preview of the page on other sites that link to it. */
function linkPreviews(view: PublicPageView, t: InterfaceTranslate): Html {
  const { oembed } = view.addresses
  return html`${openGraph(view, t)}
<link rel="alternate" type="application/json+oembed" href="${`${oembed}&format=json`}" title="${view.title}">
<link rel="alternate" type="text/xml+oembed" href="${`${oembed}&format=xml`}" title="${view.title}">`
}

/** Writes Open Graph properties (https://ogp.me), which chats and social networks read. */
function openGraph(view: PublicPageView, t: InterfaceTranslate): Html {
  const { addresses } = view
  const { width, height } = CARD_SIZE
  const properties: [string, string | number | undefined][] = [
    ['og:type', 'article'],
    ['og:site_name', view.face?.name ?? SITE_NAME],
    ['og:title', view.title],
    ['og:description', view.description],
    ['og:url', addresses.page],
    ['og:image', addresses.card],
    ['og:image:type', 'image/jpeg'],
    ['og:image:width', width],
    ['og:image:height', height],
    ['og:image:alt', t('pageOf', { page: view.openAt ?? 1, count: view.pageCount })],
    ['og:locale', localeOf(view.documentLanguage)],
    ['article:published_time', publicationTime(view)],
    ['article:modified_time', formatDateTime(view.updatedAtMs)],
  ]
  const known = properties.filter(([, value]) => value !== undefined)
  return html`${known.map(([name, value]) => html`<meta property="${name}" content="${value}">\n`)}<meta name="twitter:card" content="summary_large_image">`
}

/** Returns a locale for Open Graph, which needs a language with a country: `fr_CH`. */
function localeOf(tag: string | undefined): string | undefined {
  return /^[a-z]{2}-[A-Z]{2}$/.test(tag ?? '') ? tag!.replace('-', '_') : undefined
}

/** Describes a publication to search engines in terms of schema.org (JSON-LD). */
function structuredData(view: PublicPageView): Record<string, unknown> {
  const { addresses } = view
  return {
    '@context': 'https://schema.org',
    '@type': 'DigitalDocument',
    '@id': addresses.page,
    url: addresses.page,
    name: view.title,
    description: view.description,
    inLanguage: view.documentLanguage,
    copyrightNotice: view.face?.license,
    isPartOf: view.collection && {
      '@type': 'Collection',
      name: view.collection.name,
      url: view.collection.address,
    },
    // The file gives a name, which need not be a person's.
    creator: view.author && { '@type': 'Thing', name: view.author },
    datePublished: publicationTime(view),
    dateModified: formatDateTime(view.updatedAtMs),
    image: {
      '@type': 'ImageObject',
      contentUrl: addresses.preview.address,
      width: addresses.preview.width,
      height: addresses.preview.height,
    },
    encoding: view.allowsDownload
      ? {
          '@type': 'MediaObject',
          contentUrl: addresses.download,
          encodingFormat: 'application/pdf',
          contentSize: String(view.sizeBytes),
        }
      : undefined,
  }
}

/** Characters that change the direction of the text after them, and may be left open. */
const DIRECTION_MARKS = /[\u202a-\u202e\u2066-\u2069]/

/**
 * Isolates text so that it cannot change the direction of the text around it, for places without elements: it is put
 * between FIRST STRONG ISOLATE and POP DIRECTIONAL ISOLATE (Unicode Standard Annex 9, 2.4).
 */
function isolated(text: string): string {
  return DIRECTION_MARKS.test(text) ? `\u2068${text}\u2069` : text
}

/** Returns when a publication was published; undefined for a draft. */
function publicationTime({ publishedAtMs }: PublicPageView): string | undefined {
  return publishedAtMs === undefined ? undefined : formatDateTime(publishedAtMs)
}
