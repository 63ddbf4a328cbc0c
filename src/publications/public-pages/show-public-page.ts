import { createHash } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'
import Type from 'typebox'
import { RETRY_SOON, unavailable } from '#platform/errors.ts'
import type { HttpServer } from '#platform/http/http-server.ts'
import type { RateLimit } from '#platform/http/limits/rate-limit.ts'
import { isNotModified } from '#platform/http/ranges/byte-range-answer.ts'
import { clientOf } from '../delivery/client-of.ts'
import type { PageAddresses } from '../delivery/page-addresses.ts'
import type { Addresses } from '../domain/addresses.ts'
import { publicationNotFound } from '../errors.ts'
import { QueueFullError, WorkQueue, type WorkQueueLimits } from '../queues/work-queue.ts'
import type { FigureCounter } from '../reading-figures/figure-counter.ts'
import { SlugParams } from '../schemas/slug-params.ts'
import type { DocumentSearch } from '../search/document-search.ts'
import type { PublicPageStore, ShownPublication } from '../storage/public-page-store.ts'
import type { Assets } from './assets.ts'
import { findInDocument, queryInAddress } from './find-in-document.ts'
import { buildView, EXCERPT_LIMITS } from './html/build-view.ts'
import { withFound } from './html/found-section.ts'
import { interfaceLanguage } from './html/language.ts'
import { layoutOf } from './html/layout.ts'
import { preloadHeader } from './html/page-head.ts'
import type { PublicPageView } from './html/page-view.ts'
import { partAt } from './html/parts.ts'
import { publicPageHtml } from './html/public-page.ts'
import { type Encoding, packPage, pageEncoding } from './packed-page.ts'
import { createPageCache, type PageCache, packedOnce, type WrittenPage } from './page-cache.ts'
import { pageHeaders } from './page-headers.ts'
import { getShownPublication } from './shown-publication.ts'

type Deps = {
  addresses: Addresses
  figureCounter: FigureCounter
  pageAddresses: PageAddresses
  pageAssets: Assets
  publicPages: PublicPageStore
  documentSearch: Pick<DocumentSearch, 'search'>
  /** The limit that searches count for. */
  searchLimit: RateLimit | undefined
}

/** `from` is read leniently: a page is better than an error for a mistyped address. */
type PageRequest = FastifyRequest & { params: { slug: string }; query: { from?: unknown; q?: unknown } }

const PAGE_SCHEMA = {
  hide: true,
  params: SlugParams,
  querystring: Type.Object({ from: Type.Optional(Type.Unknown()), q: Type.Optional(Type.Unknown()) }),
}

/**
 * A page at its limits takes some 100 ms of the main thread, and several megabytes. Two are written at once, so that
 * one is read from the database while the other is compressed.
 */
const WRITING: WorkQueueLimits = { running: 2, waiting: 128, waitingPerCaller: 64 }

/** The pages written of late, and the queue of those to write. */
type Pages = { cache: PageCache; writing: WorkQueue<WrittenPage> }

/** GET /p/:slug and GET /p/:slug/embed: the public page of a publication, whole or for a frame. */
export function showPublicPage(app: HttpServer, deps: Deps) {
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
  deps: Deps,
  pages: Pages,
  form: PublicPageView['form'],
  request: PageRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const { params, query, headers, url } = request
  const addressing = addressingOf(deps)
  const publication = await getShownPublication(deps.publicPages, params.slug)
  const part = partAt(Number(query.from), publication.page_count)
  reply.headers(pageHeaders(addressing, form === 'embed' ? 'any' : 'none'))
  if (publication.slug !== params.slug || url.split('?')[0].endsWith('/')) {
    const suffix = form === 'embed' ? '/embed' : ''
    return reply.redirect(`${addressing.public}/p/${publication.slug}${suffix}${queryOf(url)}`, 308)
  }
  if (!continuesReading(part, request)) deps.figureCounter.countView(publication.id, request)
  const language = interfaceLanguage(headers['accept-language'])
  const etag = etagOf([form, language, part.from, deps.pageAssets.fingerprint, addressing], publication)
  const wanted = queryInAddress(query.q)
  if (wanted === undefined) reply.header('etag', `W/${etag}`)
  if (wanted === undefined && isNotModified(headers, etag)) return reply.code(304).send()

  const encoding = pageEncoding(headers['accept-encoding'])
  const page = await writtenPage(pages, { etag, encoding }, clientOf(request, reply), writePage)
  reply.header('link', page.preload)
  if (wanted !== undefined) {
    const found = await findInDocument(deps, publication, wanted, request, reply)
    const pageAddress = `${addressing.public}/p/${publication.slug}${form === 'embed' ? '/embed' : ''}`
    const html = withFound(page.html, found, { language, part, pageCount: publication.page_count, pageAddress })
    reply.header('cache-control', 'no-store')
    if (encoding === undefined) return reply.send(html)
    return reply.header('content-encoding', encoding).send(await packPage(html, encoding))
  }
  if (encoding === undefined) return reply.send(page.html)
  reply.header('content-encoding', encoding)
  return reply.send(await packedOnce(page, encoding))

  async function writePage(): Promise<WrittenPage> {
    const stored = await deps.publicPages.excerpts(publication.version_id, part, EXCERPT_LIMITS)
    const view = buildView(publication, stored, { language, form, part, assets: assetsOf(deps, form) }, addressing)
    return { html: Buffer.from(publicPageHtml(view)), preload: preloadHeader(view, layoutOf(view)) }
  }
}

/** Returns a page from the cache, or writes and compresses it once for all clients that wait for it. */
async function writtenPage(
  { cache, writing }: Pages,
  { etag, encoding }: { etag: string; encoding: Encoding | undefined },
  client: ReturnType<typeof clientOf>,
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
  return await writing.do(`${etag} ${encoding}`, client, work).catch((error) => {
    if (error instanceof QueueFullError || client.signal.aborted) throw unavailable({ headers: RETRY_SOON })
    throw error
  })
}

/** Returns addresses relative to the page, which work on any host and below any path. */
function assetsOf({ pageAssets }: Deps, form: PublicPageView['form']): PublicPageView['assets'] {
  const folder = form === 'embed' ? '../_' : '_'
  const { style, script, firstPaint, reader } = pageAssets
  return {
    style: `${folder}/${style.name}`,
    script: `${folder}/${script.name}`,
    ...(reader && { reader: `${folder}/${reader.name}`, firstPaint: `${folder}/${firstPaint.name}` }),
  }
}

/** Returns the query of an address with its `?`, such as the first page or the text to find. */
function queryOf(url: string): string {
  return URL.parse(url, 'http://localhost')?.search ?? ''
}

/** Returns whether a request loads a further part of a long document, which is not another view of it. */
function continuesReading(part: { from: number }, { headers }: PageRequest): boolean {
  return part.from > 1 && headers['sec-fetch-site'] === 'same-origin'
}

function addressingOf({ addresses, pageAddresses }: Deps) {
  return { base: addresses.base(), public: addresses.public(), cdn: addresses.cdn(), pathOf: pageAddresses.pathOf }
}

/** Identifies a state of the page without writing it: all of its content changes with one of these values. */
function etagOf(request: unknown[], publication: ShownPublication): string {
  const { facts: _facts, ...state } = publication
  const hash = createHash('sha256').update(JSON.stringify([request, state]))
  return `"${hash.digest('base64url').slice(0, 22)}"`
}
