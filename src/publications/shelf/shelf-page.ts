import { formatDateTime } from '#platform/basics/time.ts'
import { escapeHtml, type Html, html, htmlDocument } from '#platform/pages/html.ts'
import { PREVIEW_CARD } from '../delivery/drawn-images.ts'
import type { Face } from '../model/faces-store.ts'
import type { ShelvedPublication } from '../model/shelf-store.ts'
import { collectionAddress, pageAddress, type Site, shelfAddress } from '../model/sites.ts'
import { type FaceView, faceNotes, faceView } from '../public-pages/face-view.ts'
import type { InterfaceTranslate } from '../public-pages/interface-texts.ts'
import { xmlText } from '../public-pages/oembed.ts'
import { commonHead } from '../public-pages/page-head.ts'
import { faceLogo } from '../public-pages/public-page.ts'
import type { ShelfHits } from '../search/search-worker.ts'

/** A publication on a shelf with the address of its cover, and its hits in a search. */
export type ShelfEntry = ShelvedPublication & { cover: string; hits?: ShelfHits }

/** A collection on the first page of its shelf, with the first of its publications. */
type ShelfGroup = { slug: string; name: string; total: number; entries: readonly ShelfEntry[] }

/** The contents of a shelf or of a collection: a page of its publications, or the results of a search. */
type ShelfView = {
  language: string
  face: Face
  /** The site that was asked, and the site of the workspace, which search engines and others are told. */
  site: Site
  workspaceSite: Site
  /** Path from the page to the root of the site, the folder of the assets, and the stylesheet of shelves in it. */
  root: string
  folder: string
  styles: { pages: string; shelf: string }
  /** The collection that is shown; undefined for the whole shelf. */
  collection?: { slug: string; name: string }
  /** Collections, which come before the publications that are in none. */
  groups: readonly ShelfGroup[]
  entries: readonly ShelfEntry[]
  /** Number of publications on the shelf or in the collection, or that were found. */
  total: number
  page: number
  pageCount: number
  query?: string
  /** Set if a search was refused, or did not go through all texts. */
  notice?: string
}

/** Covers that are likely on the first screen. */
const FIRST_COVERS = 6

/** Writes a shelf, which is complete without scripts. */
export function shelfHtml(view: ShelfView, t: InterfaceTranslate): string {
  const { language, query } = view
  const face = faceView(view.face, view.site)
  const body = html`<body class="shelf">
<a class="skip" href="#publications">${t('skipToPublications')}</a>
${shelfTop(view, face, t)}
<main id="publications" tabindex="-1">
${
  view.collection !== undefined &&
  html`<h1 class="collection"><bdi>${view.collection.name}</bdi></h1>
`
}${query === undefined ? shelfCount(view, t) : searchHeading(view, face, query, t)}
${view.groups.map((group, at) => collectionGroup(view, group, at, t))}${
  view.groups.length > 0 &&
  view.entries.length > 0 &&
  html`<h2>${t('withoutCollection')}</h2>
`
}${view.notice !== undefined && html`<p class="notice">${view.notice}</p>\n`}${
  view.entries.length > 0 &&
  html`<ol class="${query === undefined ? 'covers' : 'covers results'}">
${view.entries.map((entry, at) => entryItem(view, entry, view.groups.length === 0 && at < FIRST_COVERS, t))}</ol>`
}
${pageNav(view, t)}
</main>
<footer class="foot"><p><a href="${listAddress(view)}/feed.xml">${t('feed')}</a>${faceNotes(face, t)}</p></footer>
</body>`
  return htmlDocument(language, shelfHead(view, face, t), body)
}

/** A list of publications: a shelf or one of its collections. */
type ListedView = Pick<ShelfView, 'site' | 'face' | 'collection'>

/** Returns the address of the shelf or of the collection that is shown. */
function listAddress({ site, face, collection }: ListedView): string {
  return collection === undefined ? shelfAddress(site, face.slug) : collectionAddress(site, face.slug, collection.slug)
}

function shelfHead(view: ShelfView, face: FaceView, t: InterfaceTranslate): Html {
  const { folder, styles, page, query, site, collection } = view
  const { name, about } = view.face
  const isIndexed = query === undefined && view.total > 0
  const list = listAddress({ ...view, site: view.workspaceSite })
  const address = `${list}${page > 1 ? `?page=${page}` : ''}`
  const shown = collection?.name ?? name
  const image = (view.groups[0]?.entries ?? view.entries)[0]?.cover
  const logo = collection === undefined ? face.logo : undefined
  const properties: [string, string | undefined][] = [
    ['og:type', 'website'],
    ['og:site_name', name],
    ['og:title', shown],
    ['og:description', (collection === undefined && about) || undefined],
    ['og:url', address],
    ['og:image', logo === undefined ? image && `${image}/${PREVIEW_CARD}` : `${site.origin}${logo.path}`],
  ]
  const known = properties.filter(([, value]) => value !== undefined)
  const part = query === undefined ? collection?.name : t('found', { query })
  const title = part === undefined ? name : `${part} · ${name}`
  return commonHead(
    title,
    { style: `${folder}/${styles.pages}`, folder, color: face.color },
    html`<link rel="canonical" href="${address}">
<link rel="alternate" type="application/atom+xml" href="${list}/feed.xml" title="${shown}">
${!isIndexed && html`<meta name="robots" content="noindex">\n`}${collection === undefined && about !== null && html`<meta name="description" content="${about}">\n`}${known.map(([key, value]) => html`<meta property="${key}" content="${value}">\n`)}<meta name="twitter:card" content="summary">
<link rel="stylesheet" href="${folder}/${styles.shelf}">`,
  )
}

/** Writes the name, the text and the search of a shelf; of a collection the name alone, which leads to the shelf. */
function shelfTop(
  { face: { about }, query, root, collection }: ShelfView,
  face: FaceView,
  t: InterfaceTranslate,
): Html {
  const name = html`<a class="shelf-name" href="${face.shelf}">${faceLogo(face.logo, root)}<bdi>${face.name}</bdi></a>`
  if (collection !== undefined) return html`<header class="shelf-top"><p>${name}</p></header>`
  const paragraphs = (about ?? '').split(/\n+/).filter((line) => line.trim() !== '')
  return html`<header class="shelf-top">
<h1>${name}</h1>
${paragraphs.map((paragraph) => html`<p class="about" dir="auto">${paragraph}</p>\n`)}<form class="shelf-search" role="search" method="get"><input type="search" name="q" required="" maxlength="200" value="${query ?? ''}" aria-label="${t('searchShelf')}" placeholder="${t('searchShelf')}"><button class="button" type="submit">${t('search')}</button></form>
</header>`
}

function shelfCount({ total }: ShelfView, t: InterfaceTranslate): Html {
  if (total === 0) return html`<p class="notice">${t('shelfEmpty')}</p>`
  return html`<p class="count">${t('publications', { count: total })}</p>`
}

function searchHeading(view: ShelfView, { shelf }: FaceView, query: string, t: InterfaceTranslate): Html {
  const [before, after] = t('found', { query: '\n' }).split('\n')
  const count = view.total === 0 ? t('noHits') : t('publications', { count: view.total })
  return html`<h2>${before}<bdi>${query}</bdi>${after}</h2>
<p class="count">${view.notice === undefined || view.total > 0 ? count : undefined} <a href="${shelf}">${t('allPublications')}</a></p>`
}

/** Writes a collection on its shelf: its name, its first covers, and a link to all of them if there are more. */
function collectionGroup(view: ShelfView, group: ShelfGroup, at: number, t: InterfaceTranslate): Html {
  const { slug, name, total, entries } = group
  const address = listAddress({ ...view, collection: group })
  return html`<section class="group" aria-labelledby="c-${slug}">
<h2 id="c-${slug}"><a href="${address}"><bdi>${name}</bdi></a></h2>
<ol class="covers">
${entries.map((entry) => entryItem(view, entry, at === 0, t))}</ol>
${total > entries.length && html`<p class="more"><a href="${address}" aria-describedby="c-${slug}">${t('allOfCollection', { count: total })}</a></p>\n`}</section>
`
}

const dayFormats = new Map<string, Intl.DateTimeFormat>()

/** Returns the format of days in a language of the interface, which takes longer to make than a cover to write. */
function dayFormat(locale: string): Intl.DateTimeFormat {
  const format = dayFormats.get(locale) ?? new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeZone: 'UTC' })
  dayFormats.set(locale, format)
  return format
}

function entryItem({ site, query }: ShelfView, entry: ShelfEntry, isNear: boolean, t: InterfaceTranslate): Html {
  const { slug, title, author, cover, hits, page_count: count } = entry
  const day = new Date(entry.published_at)
  const address = pageAddress(site, slug)
  return html`<li><a class="entry" href="${address}"><span class="cover"><picture><source type="image/webp" srcset="${cover}/600.webp"><img src="${cover}/600.jpg" alt=""${!isNear && html` loading="lazy"`} decoding="async"></picture></span><span class="title"${entry.language !== null && entry.language !== '' && html` lang="${entry.language}"`}><bdi>${title}</bdi></span></a>
<p class="byline">${author !== null && html`<bdi class="author">${author}</bdi> `}<span>${t('pageCount', { count })}</span> <time datetime="${day.toISOString()}">${dayFormat(t('locale')).format(day)}</time></p>
${hits !== undefined && query !== undefined && hitLine(address, hits, query, t)}</li>
`
}

function hitLine(address: string, { hits, snippet }: ShelfHits, query: string, t: InterfaceTranslate): Html {
  if (snippet === undefined) return html`<p class="byline"><span>${t('matches', { count: hits })}</span></p>`
  const { page, text, from, to } = snippet
  return html`<p class="hit" dir="auto">${text.slice(0, from)}<mark>${text.slice(from, to)}</mark>${text.slice(to)}</p>
<p class="byline"><span>${t('matches', { count: hits })}</span> <a href="${address}?q=${encodeURIComponent(query)}#page-${page}">${t('page', { label: page })}</a></p>
`
}

function pageNav({ page, pageCount, ...view }: ShelfView, t: InterfaceTranslate): Html | undefined {
  if (pageCount < 2) return undefined
  const list = listAddress(view)
  const link = (to: number, rel: 'prev' | 'next', text: string) =>
    to >= 1 && to <= pageCount && html`<a rel="${rel}" href="${list}${to === 1 ? '' : `?page=${to}`}">${text}</a>`
  return html`<nav class="parts" aria-label="${t('partsOfList')}">${link(page - 1, 'prev', t('previousPage'))} <span>${t('pageOf', { page, count: pageCount })}</span> ${link(page + 1, 'next', t('nextPage'))}</nav>`
}

/** Writes the names of shelves, for the address of the site. */
export function shelvesHtml(
  shelves: readonly { slug: string; name: string }[],
  { language, site, folder, styles }: Pick<ShelfView, 'language' | 'site' | 'folder' | 'styles'>,
  t: InterfaceTranslate,
): string {
  const body = html`<body class="shelf">
<header class="shelf-top"><h1>${t('shelves')}</h1></header>
<main><ul class="shelves">
${shelves.map(({ slug, name }) => html`<li><a href="${shelfAddress(site, slug)}"><bdi>${name}</bdi></a></li>\n`)}</ul></main>
</body>`
  const more = html`<link rel="stylesheet" href="${folder}/${styles.shelf}">`
  return htmlDocument(language, commonHead(t('shelves'), { style: `${folder}/${styles.pages}` }, more), body)
}

/** Writes the feed of a shelf or of a collection (Atom, RFC 4287), newest first. */
export function shelfFeed({ face, collection, site }: ListedView, entries: readonly ShelvedPublication[]): string {
  const list = listAddress({ face, collection, site })
  const title = collection === undefined ? face.name : `${collection.name} · ${face.name}`
  const updatedMs = Math.max(face.updated_at, ...entries.map((entry) => entry.updated_at))
  const items = entries.map(
    ({ id, slug, title, author, description, ...times }) => `<entry>
<id>urn:uuid:${escapeHtml(id)}</id>
<title>${xmlText(title)}</title>
<link rel="alternate" type="text/html" href="${escapeHtml(pageAddress(site, slug))}"/>
<published>${formatDateTime(times.published_at)}</published>
<updated>${formatDateTime(times.updated_at)}</updated>
<author><name>${xmlText(author ?? face.name)}</name></author>
${description === null ? '' : `<summary>${xmlText(description)}</summary>\n`}</entry>
`,
  )
  return `<?xml version="1.0" encoding="utf-8"?>
<feed xmlns="http://www.w3.org/2005/Atom">
<id>${escapeHtml(list)}</id>
<title>${xmlText(title)}</title>
${face.about === null ? '' : `<subtitle>${xmlText(face.about)}</subtitle>\n`}<link rel="self" type="application/atom+xml" href="${escapeHtml(`${list}/feed.xml`)}"/>
<link rel="alternate" type="text/html" href="${escapeHtml(list)}"/>
${face.license == null ? '' : `<rights>${xmlText(face.license)}</rights>\n`}<updated>${formatDateTime(updatedMs)}</updated>
${items.join('')}</feed>
`
}
