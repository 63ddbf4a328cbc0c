import { hash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import type { FastifyReply, FastifyRequest } from 'fastify'
import Type from 'typebox'
import { rateLimited } from '#platform/basics/errors.ts'
import { workClient } from '#platform/http/client.ts'
import { FOREVER, type HttpServer } from '#platform/http/http-server.ts'
import { isNotModified } from '#platform/http/ranges.ts'
import { countRequest } from '#platform/http/rate-limit.ts'
import { QueueFullError } from '#platform/jobs/work-queue.ts'
import type { CollectionsStore } from '../model/collections-store.ts'
import { shelfNotFound } from '../model/errors.ts'
import type { Face, FacesStore } from '../model/faces-store.ts'
import { addressesEnd } from '../model/reading.ts'
import type { ShelfStore, ShelvedPublication } from '../model/shelf-store.ts'
import { assetsFolder, collectionAddress, requestedSite, shelfAddress, siteOf } from '../model/sites.ts'
import type { PublicPagesDeps } from '../public-pages/answer-as-pages.ts'
import { publicPageHeaders } from '../public-pages/answer-as-pages.ts'
import { ASSETS_PATH } from '../public-pages/assets.ts'
import { logoPath } from '../public-pages/face-view.ts'
import { queryInAddress } from '../public-pages/find-in-document.ts'
import { interfaceLanguage, interfaceTexts } from '../public-pages/interface-texts.ts'
import { packPage, pageEncoding } from '../public-pages/show-public-page.ts'
import { sendOwnRobots, sendWorkspaceSitemap } from '../public-pages/sitemap.ts'
import { foldForSearch } from '../search/find-in-text.ts'
import type { ShelfSearch } from '../search/shelf-search.ts'
import { type ShelfEntry, shelfFeed, shelfHtml, shelvesHtml } from './shelf-page.ts'

/** Parts that the routes of shelves are built from. */
type ShelfDeps = PublicPagesDeps & {
  faces: FacesStore
  collections: CollectionsStore
  shelves: ShelfStore
  shelfSearch: ShelfSearch
}

/** Publications on one page of a shelf, in rows of 2 to 6. */
const PER_PAGE = 60
/** Publications of a collection on the first page of its shelf: a row, or three on a phone. */
const PER_COLLECTION = 6
/** Publications whose titles and texts a search compares, and that it lists. */
const MAX_SEARCHED = 2_000
const MAX_FOUND = 100
/** Entries of a feed, as many as feed readers fetch again and again. */
const FEED_ENTRIES = 50
/** Shelves that the page of all shelves names. */
const MAX_SHELVES = 200
/** A search that is not done by then is given up. */
const SEARCH_WITHIN_MS = 5_000

const STYLE_TEXT = readFileSync(new URL('shelf.css', import.meta.url), 'utf8')
const STYLE = `shelf.${hash('sha256', STYLE_TEXT).slice(0, 12)}.css`

const ShelfParams = Type.Object({ slug: Type.String() })
const CollectionParams = Type.Object({ slug: Type.String(), collection: Type.String() })
const ShelfFileParams = Type.Object({ slug: Type.String(), file: Type.String() })
/** Read leniently: a page is better than an error for a mistyped address. */
const ShelfQuery = Type.Object({ page: Type.Optional(Type.Unknown()), q: Type.Optional(Type.Unknown()) })
const PAGE_SCHEMA = { hide: true, params: ShelfParams, querystring: ShelfQuery }

type ShelfRequest = FastifyRequest & { params: { slug: string }; query: { page?: unknown; q?: unknown } }

/** GET /w/:slug, a shelf; its feed, its sitemap, its logo and its collections; and GET /w, all shelves. */
export function shelfRoutes(app: HttpServer, deps: ShelfDeps) {
  const send = (request: ShelfRequest, reply: FastifyReply) => sendShelf(deps, request, reply)
  app.get('/w', { schema: { hide: true } }, async (request, reply) => {
    const { language, t } = textsFor(request)
    const shelves = await deps.faces.list(MAX_SHELVES)
    if (shelves.length === 0) throw shelfNotFound()
    const view = { ...common(deps, request), language }
    return await sendPage(deps, shelvesHtml(shelves, view, t), request, reply)
  })
  app.get('/w/:slug', { schema: PAGE_SCHEMA }, send)
  app.get('/w/:slug/', { schema: PAGE_SCHEMA }, send)
  app.get('/w/:slug/feed.xml', { schema: { hide: true, params: ShelfParams } }, async ({ params }, reply) => {
    const face = await requireFace(deps, params.slug)
    const entries = await deps.shelves.newest(face.workspace_id, FEED_ENTRIES)
    return sendFeed(reply, shelfFeed({ face, site: siteOf(deps.addresses, face.domain) }, entries))
  })
  collectionRoutes(app, deps)
  app.get('/w/:slug/sitemap.xml', { schema: { hide: true, params: ShelfParams } }, async ({ params }, reply) =>
    sendWorkspaceSitemap(deps, await requireFace(deps, params.slug), reply),
  )
  app.get('/w/:slug/robots.txt', { schema: { hide: true, params: ShelfParams } }, async ({ params }, reply) =>
    sendOwnRobots(deps, (await requireFace(deps, params.slug)).domain, reply),
  )
  app.get('/w/:slug/:file', { schema: { hide: true, params: ShelfFileParams } }, async ({ params, url }, reply) => {
    const face = await requireFace(deps, params.slug)
    const stored = await deps.faces.logo(face.workspace_id)
    const path = logoPath({ isOwn: false }, params.slug, stored?.logo_sha256 ?? '')
    if (!stored?.logo || !url.split('?')[0].endsWith(path)) throw shelfNotFound()
    return reply
      .type('image/png')
      .header('cache-control', FOREVER)
      .header('content-security-policy', "default-src 'none'")
      .header('x-content-type-options', 'nosniff')
      .header('cross-origin-resource-policy', 'cross-origin')
      .send(Buffer.from(stored.logo))
  })
  app.get('/w/*', { schema: { hide: true } }, async () => {
    throw shelfNotFound()
  })
  app.get(`${ASSETS_PATH}/${STYLE}`, { schema: { hide: true } }, async (_request, reply) =>
    reply.type('text/css; charset=utf-8').header('cache-control', FOREVER).send(STYLE_TEXT),
  )
}

/** GET /w/:slug/c/:collection, and its feed. A collection is there while its shelf shows one of its publications. */
function collectionRoutes(app: HttpServer, deps: ShelfDeps) {
  const path = '/w/:slug/c/:collection'
  const schema = { hide: true, params: CollectionParams }
  app.get(path, { schema: { ...PAGE_SCHEMA, ...schema } }, async (request, reply) => {
    const { params, query, url } = request
    const face = await requireFace(deps, params.slug)
    const collection = await deps.collections.findBySlug(face.workspace_id, params.collection)
    if (collection === undefined) throw shelfNotFound()
    const shown = await shelfPart(deps, face, Number(query.page), collection.id)
    if (shown.total === 0) throw shelfNotFound()
    const { slug } = collection
    const site = requestedSite(request, deps.addresses)
    if (face.slug !== params.slug || slug !== params.collection)
      return reply.redirect(`${collectionAddress(site, face.slug, slug)}${URL.parse(url, 'http://x')!.search}`, 308)
    const { language, t } = textsFor(request)
    const view = { ...common(deps, request, face), ...shown, language, face, collection }
    return await sendPage(deps, shelfHtml(view, t), request, reply)
  })
  app.get(`${path}/feed.xml`, { schema }, async ({ params }, reply) => {
    const face = await requireFace(deps, params.slug)
    const collection = await deps.collections.findBySlug(face.workspace_id, params.collection)
    const entries = collection && (await deps.shelves.newest(face.workspace_id, FEED_ENTRIES, collection.id))
    if (!entries?.length) throw shelfNotFound()
    return sendFeed(reply, shelfFeed({ face, collection, site: siteOf(deps.addresses, face.domain) }, entries))
  })
}

function sendFeed(reply: FastifyReply, feed: string): FastifyReply {
  return reply
    .type('application/atom+xml; charset=utf-8')
    .header('cache-control', 'public, max-age=0, must-revalidate')
    .send(feed)
}

/**
 * Returns the address that leads readers of the site somewhere: the only shelf, or the list of all; undefined without
 * one.
 */
export async function homeOfReaders({ faces, addresses }: Pick<ShelfDeps, 'faces' | 'addresses'>) {
  const [first, second] = await faces.list(2)
  if (first === undefined) return undefined
  return second === undefined ? `${addresses.public()}/w/${first.slug}` : `${addresses.public()}/w`
}

async function requireFace({ faces }: ShelfDeps, slug: string): Promise<Face> {
  const face = await faces.findBySlug(slug)
  if (face === undefined) throw shelfNotFound()
  return face
}

async function sendShelf(deps: ShelfDeps, request: ShelfRequest, reply: FastifyReply): Promise<FastifyReply> {
  const { params, query, url } = request
  const face = await requireFace(deps, params.slug)
  const [path, search = ''] = url.split('?', 2)
  const site = requestedSite(request, deps.addresses)
  if (face.slug !== params.slug || path.endsWith('/'))
    return reply.redirect(`${shelfAddress(site, face.slug)}${search && `?${search}`}`, 308)
  const { language, t } = textsFor(request)
  const wanted = queryInAddress(query.q)
  const shown =
    wanted === undefined
      ? await shelfPart(deps, face, Number(query.page))
      : await searchPart(deps, face, wanted, request, reply)
  const view = { ...common(deps, request, face), ...shown, language, face }
  return await sendPage(deps, shelfHtml(view, t), request, reply)
}

/**
 * Reads a page of a shelf, whose collections are on the first, or a page of a collection. A number beyond the last page
 * means the last.
 */
async function shelfPart(deps: ShelfDeps, { workspace_id }: Face, wanted: number, collectionId?: string) {
  const { shelves } = deps
  const total = await shelves.count(workspace_id, collectionId)
  const collections = collectionId === undefined ? await shelves.collections(workspace_id, PER_COLLECTION) : []
  const others = collections.reduce((left, collection) => left - collection.total, total)
  const pageCount = Math.max(1, Math.ceil(others / PER_PAGE))
  const page = Number.isSafeInteger(wanted) ? Math.min(Math.max(wanted, 1), pageCount) : 1
  const part = collectionId ?? null
  const publications = await shelves.list(workspace_id, (page - 1) * PER_PAGE, PER_PAGE, part)
  return {
    groups: page > 1 ? [] : collections.map((one) => ({ ...one, entries: entriesOf(deps, one.publications) })),
    entries: entriesOf(deps, publications),
    total,
    page,
    pageCount,
  }
}

function entriesOf(deps: ShelfDeps, publications: readonly ShelvedPublication[]): ShelfEntry[] {
  return publications.map((one) => entryOf(deps, one))
}

/** Searches in titles and texts: titles with the words come first, then texts by the number of hits. */
async function searchPart(
  deps: ShelfDeps,
  { workspace_id }: Face,
  query: string,
  request: FastifyRequest,
  reply: FastifyReply,
) {
  const { t } = textsFor(request)
  const publications = await deps.shelves.list(workspace_id, 0, MAX_SEARCHED)
  const foldedQuery = foldForSearch(query)
  const inTitle = new Set(publications.filter(({ title }) => foldForSearch(title).includes(foldedQuery)))
  const { hits, notice } = await searchTexts(deps, publications, query, request, reply)
  const found = publications
    .filter((one) => foldedQuery !== '' && (inTitle.has(one) || hits?.has(one.version_id)))
    .map((one) => ({ one, hits: hits?.get(one.version_id), isTitle: inTitle.has(one) }))
    .sort((a, b) => Number(b.isTitle) - Number(a.isTitle) || (b.hits?.hits ?? 0) - (a.hits?.hits ?? 0))
  const isComplete = publications.length < MAX_SEARCHED
  return {
    groups: [],
    entries: found.slice(0, MAX_FOUND).map(({ one, hits }) => ({ ...entryOf(deps, one), hits })),
    total: found.length,
    page: 1,
    pageCount: 1,
    query,
    notice: notice ?? (isComplete ? undefined : t('shelfSearchedPart')),
  }
}

/** Searches in texts. Never throws: a search that is refused or takes too long is said in the page. */
async function searchTexts(
  { shelfSearch, searchLimit }: ShelfDeps,
  publications: readonly ShelvedPublication[],
  query: string,
  request: FastifyRequest,
  reply: FastifyReply,
) {
  const { t } = textsFor(request)
  const client = workClient(request, reply)
  const signal = AbortSignal.any([client.signal, AbortSignal.timeout(SEARCH_WITHIN_MS)])
  try {
    if (searchLimit !== undefined) await countRequest(reply, searchLimit, client.caller)
    const { hits, isComplete } = await shelfSearch.search(publications, query, { ...client, signal })
    return { hits, notice: isComplete ? undefined : t('shelfSearchedPart') }
  } catch (error) {
    if (rateLimited.is(error)) return { notice: t('notSearched.limited') }
    if (error instanceof QueueFullError || signal.aborted) return { notice: t('notSearched.busy') }
    request.log.error({ err: error }, 'search on a shelf failed')
    return { notice: t('notSearched.failed') }
  }
}

/** Adds the address of its cover to a publication: the image of its first page. */
function entryOf({ addresses, pageAddresses, now }: ShelfDeps, publication: ShelvedPublication): ShelfEntry {
  const { id: publicationId, version_id: versionId, sha256, epoch, expires_at } = publication
  const untilMs = addressesEnd({ isForEveryone: true, endsAtMs: expires_at ?? undefined }, now())
  return {
    ...publication,
    cover: addresses.cdn() + pageAddresses.pathOf({ publicationId, versionId, sha256, epoch, page: 1, untilMs }),
  }
}

function textsFor({ headers }: FastifyRequest) {
  const language = interfaceLanguage(headers['accept-language'])
  return { language, t: interfaceTexts(language) }
}

/** Returns the sites of a page and of its workspace, and where its assets are. */
function common({ addresses, pageAssets }: ShelfDeps, request: FastifyRequest, face?: Face) {
  const site = requestedSite(request, addresses)
  const depth = request.originalUrl.split('?')[0].split('/').length - 2
  const root = Array(depth).fill('..').join('/') || '.'
  return {
    site,
    workspaceSite: siteOf(addresses, face?.domain),
    root,
    folder: `${root}${assetsFolder(site)}`,
    styles: { pages: pageAssets.style.name, shelf: STYLE },
  }
}

async function sendPage(
  { addresses }: ShelfDeps,
  page: string,
  { headers }: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const origins = { base: addresses.base(), public: addresses.public(), cdn: addresses.cdn() }
  const etag = `"${hash('sha256', page, 'base64url').slice(0, 22)}"`
  reply.headers(publicPageHeaders(origins, 'none')).header('etag', `W/${etag}`)
  if (isNotModified(headers, etag)) return reply.code(304).send()
  const encoding = pageEncoding(headers['accept-encoding'])
  if (encoding === undefined) return reply.send(page)
  return reply.header('content-encoding', encoding).send(await packPage(Buffer.from(page), encoding))
}
