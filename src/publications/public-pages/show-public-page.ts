import { createHash } from 'node:crypto'
import { buffer } from 'node:stream/consumers'
import { constants, createBrotliCompress, createGzip, createZstdCompress } from 'node:zlib'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { LRUCache } from 'lru-cache'
import Type from 'typebox'
import type { BodyBudget } from '#platform/http/body-limits.ts'
import { workClient } from '#platform/http/client.ts'
import type { HttpServer } from '#platform/http/http-server.ts'
import { preferredEncoding } from '#platform/http/negotiation.ts'
import { isNotModified } from '#platform/http/ranges.ts'
import { readRequestBody } from '#platform/http/request-body.ts'
import { WorkQueue, type WorkQueueLimits } from '#platform/jobs/work-queue.ts'
import { publicationNotFound } from '../model/errors.ts'
import { FIRST_VIEWS } from '../model/fields.ts'
import { getShownPublication, type ShownPublication } from '../model/public-page-store.ts'
import { LINK_COOKIE } from '../model/reader-links.ts'
import { PASSWORD_COOKIE, PROOF_LIFETIME_SEC } from '../model/reader-passwords.ts'
import { addressesEnd, hasLastingAddresses, type Opened, privacyHeaders, type Reader } from '../model/reading.ts'
import { SlugParams } from '../model/schemas.ts'
import { apiAddress, pageAddress, requestedSite, type Site, siteOf } from '../model/sites.ts'
import type { PublicPagesDeps } from './answer-as-pages.ts'
import { publicPageHeaders } from './answer-as-pages.ts'
import { buildView, EXCERPT_LIMITS } from './build-view.ts'
import { findInDocument, queryInAddress, withFound } from './find-in-document.ts'
import { interfaceLanguage } from './interface-texts.ts'
import { preloadHeader } from './page-head.ts'
import { layoutOf, type Part, type PublicPageView, partAt, partQuery } from './page-view.ts'
import { LEAD, publicPageHtml } from './public-page.ts'

/** The query is read leniently: a page is better than an error for a mistyped address. */
type PageQuery = { from?: unknown; page?: unknown; view?: unknown; q?: unknown; link?: unknown }

type PageRequest = FastifyRequest & { params: { slug: string }; query: PageQuery }

const PAGE_SCHEMA = {
  hide: true,
  params: SlugParams,
  querystring: Type.Object({
    from: Type.Optional(Type.Unknown()),
    page: Type.Optional(Type.Unknown()),
    view: Type.Optional(Type.Unknown()),
    q: Type.Optional(Type.Unknown()),
    link: Type.Optional(Type.Unknown()),
  }),
}

/**
 * A page at its limits takes some 100 ms of the main thread, and several megabytes. Two are written at once, so that
 * one is read from the database while the other is compressed.
 */
const WRITING: WorkQueueLimits = { running: 2, waiting: 128, waitingPerCaller: 64 }

/** The pages written of late, and the queue of pages to write. */
type Pages = { cache: PageCache; writing: WorkQueue<WrittenPage> }

/** GET /p/:slug and GET /p/:slug/embed: the public page of a publication, whole or for a frame. */
export function showPublicPage(app: HttpServer, deps: PublicPagesDeps) {
  const pages: Pages = { cache: createPageCache(), writing: new WorkQueue(WRITING) }
  const send = (form: PublicPageView['form']) => (request: PageRequest, reply: FastifyReply) =>
    sendPage(deps, pages, form, request, reply)
  app.get('/p/:slug', { schema: PAGE_SCHEMA }, send('page'))
  app.get('/p/:slug/', { schema: PAGE_SCHEMA }, send('page'))
  app.get('/p/:slug/embed', { schema: PAGE_SCHEMA }, send('embed'))
  // Mistyped addresses are answered with a page as well.
  app.get('/p/*', { schema: { hide: true } }, async () => {
    throw publicationNotFound()
  })
}

async function sendPage(
  deps: PublicPagesDeps,
  pages: Pages,
  form: PublicPageView['form'],
  request: PageRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const { params, query, headers, url } = request
  const reader = await deps.readerLinks.of(request)
  // A link is exchanged first, so that its password is asked for at the clean address.
  if (query.link !== undefined) reader.requirePassword = undefined
  const publication = await getShownPublication(deps.publicPages, params.slug, reader)
  if (query.link !== undefined) return exchangeLink(deps, publication, reader.grant, form, request, reply)
  const addressing = addressingOf(deps, publication, requestedSite(request, deps.addresses))
  const openAt = pageInQuery(query.page, publication.page_count)
  const view = form === 'embed' ? FIRST_VIEWS.find((one) => one === query.view) : undefined
  const part = partAt(openAt ?? Number(query.from), publication.page_count)
  reply.headers(publicPageHeaders(addressing, form === 'embed' ? 'any' : 'none')).headers(privacyHeaders(publication))
  if (publication.slug !== params.slug || url.split('?')[0].endsWith('/')) {
    const suffix = form === 'embed' ? '/embed' : ''
    return reply.redirect(`${pageAddress(addressing.here, publication.slug)}${suffix}${queryOf(url)}`, 308)
  }
  if (!continuesReading(part, request) && publication.isPreview !== true)
    deps.figureCounter.countView({ publicationId: publication.id, linkId: publication.linkId }, request)
  const language = interfaceLanguage(headers['accept-language'])
  const etag = etagOf([form, language, part.from, openAt, view, deps.pageAssets.fingerprint, addressing], publication)
  const wanted = queryInAddress(query.q)
  if (wanted === undefined && hasLastingAddresses(publication)) {
    reply.header('etag', `W/${etag}`)
    if (isNotModified(headers, etag)) return reply.code(304).send()
  }

  const encoding = pageEncoding(headers['accept-encoding'])
  const page = await writtenPage(pages, { etag, encoding }, workClient(request, reply), writePage)
  reply.header('link', page.preload)
  if (wanted !== undefined) {
    const found = await findInDocument(deps, publication, wanted, request, reply)
    const here = `${pageAddress(addressing.here, publication.slug)}${form === 'embed' ? '/embed' : ''}`
    const partAddress = (one: Part) => here + partQuery(one)
    const html = withFound(page.html, found, { language, part, pageCount: publication.page_count, partAddress })
    reply.header('cache-control', 'no-store')
    if (encoding === undefined) return reply.send(html)
    return reply.header('content-encoding', encoding).send(await packPage(html, encoding))
  }
  if (encoding === undefined) return reply.send(page.html)
  reply.header('content-encoding', encoding)
  return reply.send(await packedOnce(page, encoding))

  async function writePage(): Promise<WrittenPage> {
    const stored = await deps.publicPages.excerpts(publication.version_id, part, EXCERPT_LIMITS)
    const page = buildView(
      publication,
      stored,
      { language, form, part, openAt, view, assets: assetsOf(deps, form) },
      addressing,
    )
    return { html: Buffer.from(publicPageHtml(page)), preload: preloadHeader(page, layoutOf(page)) }
  }
}

/** Browsers keep the cookie of a link without an end for this long after each visit by its address. */
const COOKIE_LIFETIME_SEC = 90 * 86_400

/**
 * Exchanges a reader link in the address for a cookie, and redirects to the clean address, so that the link is in no
 * referrer, history or bookmark. The cookie belongs to this publication: its page, and its data in the API.
 */
function exchangeLink(
  deps: PublicPagesDeps,
  { slug, linkId }: ShownPublication & Opened,
  grant: Reader['grant'],
  form: PublicPageView['form'],
  request: PageRequest,
  reply: FastifyReply,
): FastifyReply {
  const { addresses, now } = deps
  const site = requestedSite(request, addresses)
  const query = new URLSearchParams(queryOf(request.url))
  const token = query.get('link')
  query.delete('link')
  reply.headers({ 'cache-control': 'no-store', 'referrer-policy': 'no-referrer', 'x-robots-tag': 'noindex' })
  if (linkId !== undefined && grant !== undefined) {
    const left = grant.expiresAtMs === null ? COOKIE_LIFETIME_SEC : Math.ceil((grant.expiresAtMs - now()) / 1_000)
    const maxAgeSec = Math.min(left, COOKIE_LIFETIME_SEC)
    reply.header('set-cookie', readerCookies(site, slug, request, `${LINK_COOKIE}=${token}`, maxAgeSec))
  }
  const clean = `${pageAddress(site, slug)}${form === 'embed' ? '/embed' : ''}`
  return reply.redirect(query.size === 0 ? clean : `${clean}?${query}`, 302)
}

/** Returns a cookie for one publication: its page, and its data in the API. */
function readerCookies(
  site: Site,
  slug: string,
  { protocol }: { protocol: string },
  cookie: string,
  maxAgeSec: number,
): string[] {
  const secure = site.origin.startsWith('https:') || protocol === 'https' ? '; Secure' : ''
  const rest = `HttpOnly; SameSite=Lax; Max-Age=${maxAgeSec}${secure}`
  const places = [pageAddress(site, slug), `${apiAddress(site)}/publications/${slug}`]
  return places.map((address) => `${cookie}; Path=${new URL(address).pathname}; ${rest}`)
}

const FORM = 'application/x-www-form-urlencoded'
const MAX_FORM_BYTES = 4_096

/**
 * POST /p/:slug/password: the form of a page that asks for a password, which works without scripts. The right password
 * is exchanged for a cookie of that publication.
 */
export function givePassword(app: HttpServer, deps: PublicPagesDeps & { bodyBudget: BodyBudget }) {
  const { addresses, publicPages, readerLinks, readerPasswords, bodyBudget } = deps
  app.removeAllContentTypeParsers()
  app.addContentTypeParser(FORM, async (request: FastifyRequest) => {
    const text = (await readRequestBody(request, MAX_FORM_BYTES, bodyBudget)).toString()
    return { password: new URLSearchParams(text).get('password') ?? '' }
  })
  app.post('/p/:slug/password', { schema: { hide: true, params: SlugParams } }, async (request, reply) => {
    const { params, ip, body } = request
    let proof: string | undefined
    const { slug } = await getShownPublication(publicPages, params.slug, {
      ...(await readerLinks.of(request)),
      async requirePassword(lock) {
        await readerPasswords.check(lock, (body as { password?: string } | undefined)?.password ?? '', ip)
        proof = readerPasswords.proof(lock)
      },
    })
    const cookie = `${PASSWORD_COOKIE}=${proof}`
    const site = requestedSite(request, addresses)
    if (proof !== undefined) reply.header('set-cookie', readerCookies(site, slug, request, cookie, PROOF_LIFETIME_SEC))
    return reply.header('cache-control', 'no-store').redirect(pageAddress(site, slug), 303)
  })
}

/** Returns a page from the cache, or writes and compresses it once for all clients that wait for it. */
async function writtenPage(
  { cache, writing }: Pages,
  { etag, encoding }: { etag: string; encoding: Encoding | undefined },
  client: ReturnType<typeof workClient>,
  write: () => Promise<WrittenPage>,
): Promise<WrittenPage> {
  const cached = cache.get(etag)
  if (cached && (encoding === undefined || cached.packed?.[encoding])) return cached
  const work = async () => {
    const page = cache.get(etag) ?? (await write())
    cache.set(etag, page)
    if (encoding !== undefined) await packedOnce(page, encoding)
    return page
  }
  return await writing.do(`${etag} ${encoding}`, client, work)
}

/** Returns addresses relative to the page, which work on any host and below any path. */
function assetsOf({ pageAssets }: PublicPagesDeps, form: PublicPageView['form']): PublicPageView['assets'] {
  const root = form === 'embed' ? '../..' : '..'
  const folder = form === 'embed' ? '../_' : '_'
  const { style, script, firstPaint, reader } = pageAssets
  return {
    root,
    folder,
    style: `${folder}/${style.name}`,
    script: `${folder}/${script.name}`,
    ...(reader && { reader: `${folder}/${reader.name}`, firstPaint: `${folder}/${firstPaint.name}` }),
  }
}

/** Returns the page that `?page=` names; undefined for the first, and for one that does not exist. */
function pageInQuery(text: unknown, pageCount: number): number | undefined {
  const page = typeof text === 'string' && /^[1-9]\d{0,6}$/.test(text) ? Number(text) : 1
  return page > 1 && page <= pageCount ? page : undefined
}

/** Returns the query of an address with its `?`, such as the first page or the text to find. */
function queryOf(url: string): string {
  return URL.parse(url, 'http://localhost')?.search ?? ''
}

/**
 * Returns whether a page loads a further part of a long document, or itself again with the page that its address names,
 * neither of which is another view.
 */
function continuesReading(part: { from: number }, { headers, url }: PageRequest): boolean {
  if (headers['sec-fetch-site'] !== 'same-origin') return false
  // A proxy may serve the page below a path of its own.
  const isReferrer = URL.parse(headers.referer ?? '')?.pathname.endsWith(url.split('?')[0]) === true
  return part.from > 1 || isReferrer
}

function addressingOf(
  { addresses, pageAddresses, now }: PublicPagesDeps,
  publication: ShownPublication & Opened,
  here: Site,
) {
  const { linkId, isLocked, domain } = publication
  // The cookies of readers go to the site of the page alone, which has the API as well.
  const base = !here.isOwn && linkId === undefined && !isLocked ? addresses.base() : apiAddress(here)
  const origins = { base, public: here.origin, cdn: addresses.cdn() }
  return {
    ...origins,
    here,
    site: siteOf(addresses, domain),
    pathOf: pageAddresses.pathOf,
    untilMs: addressesEnd(publication, now()),
    linkId,
  }
}

/** Identifies a state of the page without writing it: all of its content changes with one of these values. */
function etagOf(request: unknown[], publication: ShownPublication): string {
  const { facts: _facts, ...state } = publication
  const hash = createHash('sha256').update(JSON.stringify([request, state]))
  return `"${hash.digest('base64url').slice(0, 22)}"`
}

/**
 * The HTML of a page with its `Link` header, and the HTML compressed in the encodings requested so far. The bytes are
 * shared by all answers, so that clients who read slowly do not each hold a copy.
 */
type WrittenPage = { html: Buffer; preload: string; packed?: Partial<Record<Encoding, Promise<Buffer>>> }

/** Pages by ETag, of which the least recently used are dropped. */
type PageCache = LRUCache<string, WrittenPage>

/** A book of 352 pages takes a million bytes, and half as much compressed. */
const MAX_BYTES = 32_000_000

/**
 * Makes a cache of written pages. The page of a book takes 30 ms to write, anyone may
 * request it, and it is the same for everyone.
 */
export function createPageCache(maxBytes = MAX_BYTES): PageCache {
  return new LRUCache({ maxSize: maxBytes, sizeCalculation: ({ html }) => Math.max(html.length, 1) })
}

/** Compresses a page, once for each encoding while it is cached. */
async function packedOnce(page: WrittenPage, encoding: Encoding): Promise<Buffer> {
  page.packed ??= {}
  page.packed[encoding] ??= packPage(page.html, encoding)
  return await page.packed[encoding]
}

/** Content encodings of a page, the best first. */
export const ENCODINGS = ['zstd', 'br', 'gzip'] as const
type Encoding = (typeof ENCODINGS)[number]

/**
 * A page is compressed once and sent often: these levels make it a tenth smaller
 * than the defaults, for a few milliseconds.
 */
const compressors = {
  zstd: () => createZstdCompress({ params: { [constants.ZSTD_c_compressionLevel]: 6 } }),
  br: () => createBrotliCompress({ params: { [constants.BROTLI_PARAM_QUALITY]: 5 } }),
  gzip: () => createGzip(),
}

/** Returns the encoding to send a page in, by `Accept-Encoding`; undefined if the browser accepts none of them. */
export function pageEncoding(acceptEncoding: string | undefined): Encoding | undefined {
  return preferredEncoding(acceptEncoding, ENCODINGS)
}

/**
 * Compresses a page so that browsers can decompress the page that it opens at as soon as its bytes arrive.
 * Otherwise they wait for a block of 128 kB, a sixth of a second on a slow line, before they show anything.
 */
export async function packPage(html: Buffer, encoding: Encoding): Promise<Buffer> {
  const compressor = compressors[encoding]()
  const packed = buffer(compressor)
  const end = findFirstPageEnd(html)
  compressor.write(html.subarray(0, end))
  await new Promise<void>((resolve) => compressor.flush(() => resolve()))
  compressor.end(html.subarray(end))
  return await packed
}

function findFirstPageEnd(html: Buffer): number {
  const lead = html.indexOf(LEAD)
  const at = lead < 0 ? html.indexOf('</section>') : html.indexOf('</figure>', lead)
  return at < 0 ? html.length : at
}

const HEADERS = {
  'content-type': 'text/plain; charset=utf-8',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'cache-control': 'public, max-age=0, must-revalidate',
  // Search engines find the text on the public page.
  'x-robots-tag': 'noindex',
}

const PageTextParams = Type.Object({ ...SlugParams.properties, page: Type.String() })

/** GET /p/:slug/text/:page: the full text of a page, if it is too long for the public page. */
export function getPageText(app: HttpServer, { publicPages, readerLinks }: PublicPagesDeps) {
  app.get('/p/:slug/text/:page', { schema: { hide: true, params: PageTextParams } }, async (request, reply) => {
    const { params } = request
    const publication = await getShownPublication(publicPages, params.slug, await readerLinks.of(request))
    const page = /^[1-9]\d{0,6}$/.test(params.page) ? Number(params.page) : 0
    const row = await publicPages.page(publication.version_id, page)
    if (row === undefined) throw publicationNotFound()
    return reply.headers({ ...HEADERS, ...privacyHeaders(publication) }).send(row.text)
  })
}
