import { createHash } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { HttpServer } from '#platform/http/http-server.ts'
import { isNotModified } from '#platform/http/ranges/byte-range-answer.ts'
import type { PublicationsDeps } from '../deps.ts'
import { publicationNotFound } from '../errors.ts'
import type { ShownPublication } from '../storage/public-page-store.ts'
import { buildView } from './html/build-view.ts'
import { interfaceLanguage } from './html/language.ts'
import { layoutOf } from './html/layout.ts'
import { preloadHeader } from './html/page-head.ts'
import type { PublicPageView } from './html/page-view.ts'
import { partAt } from './html/parts.ts'
import { publicPage as pageHtml } from './html/public-page.ts'
import { pageEncoding } from './packed-page.ts'
import { createKeptPages, type KeptPages, packedOnce, type WrittenPage } from './page-cache.ts'
import { pageHeaders } from './page-headers.ts'
import { getShownPublication } from './shown-publication.ts'

type PageRoute = { Params: { slug: string }; Querystring: { from?: string } }

/** GET /p/:slug and GET /p/:slug/embed: a publication as people read it. */
export function publicPage(app: HttpServer, deps: PublicationsDeps) {
  const kept = createKeptPages()
  const send = (form: PublicPageView['form']) => (request: FastifyRequest<PageRoute>, reply: FastifyReply) =>
    sendPage(deps, kept, form, request, reply)
  app.get<PageRoute>('/p/:slug', { schema: { hide: true } }, send('page'))
  app.get<PageRoute>('/p/:slug/', { schema: { hide: true } }, send('page'))
  app.get<PageRoute>('/p/:slug/embed', { schema: { hide: true } }, send('embed'))
  // Whoever mistypes an address is told so on a page as well.
  app.get('/p/*', { schema: { hide: true } }, async () => {
    throw publicationNotFound()
  })
}

async function sendPage(
  deps: PublicationsDeps,
  kept: KeptPages,
  form: PublicPageView['form'],
  request: FastifyRequest<PageRoute>,
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
  if (!isFurtherPart(part, request)) deps.figureCounter.countView(publication.id, request)
  const language = interfaceLanguage(headers['accept-language'])
  const etag = etagOf([form, language, part.from, deps.pageAssets.fingerprint, addressing], publication)
  reply.header('etag', `W/${etag}`)
  if (isNotModified(headers, etag)) return reply.code(304).send()

  const page = kept.find(etag) ?? (await writePage())
  kept.keep(etag, page)
  reply.header('link', page.preload)
  const encoding = pageEncoding(headers['accept-encoding'])
  if (encoding === undefined) return reply.send(page.html)
  reply.header('content-encoding', encoding)
  return reply.send(await packedOnce(page, encoding))

  async function writePage(): Promise<WrittenPage> {
    const stored = await deps.publicPages.pages(publication.version_id, part.from, part.to)
    const view = buildView(publication, stored, { language, form, part, assets: assetsOf(deps, form) }, addressing)
    return { html: pageHtml(view), preload: preloadHeader(view, layoutOf(view)) }
  }
}

/** Relative to the page, so that they are found on whatever host and below whatever path it is. */
function assetsOf({ pageAssets }: PublicationsDeps, form: PublicPageView['form']): PublicPageView['assets'] {
  const folder = form === 'embed' ? '../_' : '_'
  const { style, script, returning, reader } = pageAssets
  return {
    style: `${folder}/${style.name}`,
    script: `${folder}/${script.name}`,
    ...(reader && { reader: `${folder}/${reader.name}`, returning: `${folder}/${returning.name}` }),
  }
}

/** What an address asks of a page, such as where to begin or what to find, from its `?` on. */
function queryOf(url: string): string {
  return URL.parse(url, 'http://localhost')?.search ?? ''
}

/** Whoever goes on to the next part of a long document is still at the same reading of it. */
function isFurtherPart(part: { from: number }, { headers }: FastifyRequest<PageRoute>): boolean {
  return part.from > 1 && headers['sec-fetch-site'] === 'same-origin'
}

function addressingOf({ addresses, pageAddresses }: PublicationsDeps) {
  return { base: addresses.base(), public: addresses.public(), cdn: addresses.cdn(), pathOf: pageAddresses.pathOf }
}

/** Names a state of the page without making it: all that it is made of changes with one of these. */
function etagOf(request: unknown[], publication: ShownPublication): string {
  const { facts: _facts, ...state } = publication
  const hash = createHash('sha256').update(JSON.stringify([request, state]))
  return `"${hash.digest('base64url').slice(0, 22)}"`
}
