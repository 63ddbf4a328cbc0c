import type { FastifyReply } from 'fastify'
import Type from 'typebox'
import { notFound } from '#platform/basics/errors.ts'
import { formatDateTime } from '#platform/basics/time.ts'
import type { HttpServer } from '#platform/http/http-server.ts'
import { escapeHtml } from '#platform/pages/html.ts'
import type { ShelfStore } from '../model/shelf-store.ts'
import { collectionAddress, pageAddress, publicSite, type Site, siteOf } from '../model/sites.ts'
import type { PublicPagesDeps } from './answer-as-pages.ts'

/** Crawlers come rarely. A client that asks all the time must not cause a scan of all publications each time. */
const CACHE_CONTROL = 'public, max-age=600'

const SitemapParams = Type.Object({ file: Type.String() })

/** GET /robots.txt, /sitemap.xml and, if one sitemap is not enough, /sitemaps/:number.xml. */
export function getSitemap(app: HttpServer, { addresses, publicPages }: PublicPagesDeps) {
  app.get('/robots.txt', { schema: { hide: true } }, async (_request, reply) =>
    reply
      .type('text/plain; charset=utf-8')
      .header('cache-control', CACHE_CONTROL)
      .send(robotsText(publicSite(addresses))),
  )

  /** Collections come first, and then publications. */
  async function pagesOfMap(number: number): Promise<SitemapPage[]> {
    const [site, collections] = [publicSite(addresses), await publicPages.collections()]
    const offset = (number - 1) * MAX_SITEMAP_ENTRIES
    const first = collections.slice(offset, offset + MAX_SITEMAP_ENTRIES)
    const rest = MAX_SITEMAP_ENTRIES - first.length
    const pages = rest === 0 ? [] : await publicPages.list(Math.max(offset - collections.length, 0), rest)
    return [
      ...first.map((one) => ({ ...one, address: collectionAddress(site, one.shelf, one.slug) })),
      ...publicationPages(site, pages),
    ]
  }

  app.get('/sitemap.xml', { schema: { hide: true } }, async (_request, reply) => {
    const [publications, collections] = await Promise.all([publicPages.count(), publicPages.collections()])
    const maps = Math.ceil((publications + collections.length) / MAX_SITEMAP_ENTRIES)
    return sendSitemap(reply, maps > 1 ? sitemapIndex(addresses.public(), maps) : sitemap(await pagesOfMap(1)))
  })

  app.get('/sitemaps/:file', { schema: { hide: true, params: SitemapParams } }, async ({ params }, reply) => {
    const number = Number(/^([1-9]\d{0,5})\.xml$/.exec(params.file)?.[1] ?? 0)
    const pages = number === 0 ? [] : await pagesOfMap(number)
    if (pages.length === 0) throw notFound()
    return sendSitemap(reply, sitemap(pages))
  })
}

/**
 * Sends the sitemap of one workspace, for search engines that its publisher names it to: the collections on its shelf,
 * and its oldest publications, 50,000 in all.
 */
export async function sendWorkspaceSitemap(
  { addresses, publicPages, shelves }: PublicPagesDeps & { shelves: ShelfStore },
  { workspace_id: workspaceId, slug: shelf, domain }: { workspace_id: string; slug: string; domain: string | null },
  reply: FastifyReply,
): Promise<FastifyReply> {
  const collections = await shelves.collections(workspaceId, 1)
  const pages = await publicPages.list(0, MAX_SITEMAP_ENTRIES - collections.length, workspaceId)
  const site = siteOf(addresses, domain)
  const ofShelf = collections.map(({ slug, updated_at }) => ({
    address: collectionAddress(site, shelf, slug),
    updated_at,
  }))
  return sendSitemap(reply, sitemap([...ofShelf, ...publicationPages(site, pages)]))
}

/** Sends robots.txt on the host name of a workspace. */
export function sendOwnRobots(
  { addresses }: PublicPagesDeps,
  domain: string | null,
  reply: FastifyReply,
): FastifyReply {
  const text = robotsText(siteOf(addresses, domain))
  return reply.type('text/plain; charset=utf-8').header('cache-control', CACHE_CONTROL).send(text)
}

function sendSitemap(reply: FastifyReply, text: string): FastifyReply {
  return reply.type('application/xml; charset=utf-8').header('cache-control', CACHE_CONTROL).send(text)
}

/** The protocol's limit for one sitemap (https://www.sitemaps.org/protocol.html). */
const MAX_SITEMAP_ENTRIES = 50_000

const HEAD = '<?xml version="1.0" encoding="utf-8"?>\n'
const NAMESPACE = 'http://www.sitemaps.org/schemas/sitemap/0.9'

/** A page that a sitemap names. */
type SitemapPage = { address: string; updated_at: number }

function publicationPages(site: Site, publications: readonly { slug: string; updated_at: number }[]): SitemapPage[] {
  return publications.map(({ slug, updated_at }) => ({ address: pageAddress(site, slug), updated_at }))
}

/** Writes a sitemap: a list of pages for search engines. */
function sitemap(pages: readonly SitemapPage[]): string {
  const entries = pages.map(
    ({ address, updated_at }) =>
      `<url><loc>${escapeHtml(address)}</loc><lastmod>${formatDateTime(updated_at)}</lastmod></url>\n`,
  )
  return `${HEAD}<urlset xmlns="${NAMESPACE}">\n${entries.join('')}</urlset>\n`
}

/** Writes the index of sitemaps, for more pages than one sitemap may list. */
export function sitemapIndex(publicAddress: string, count: number): string {
  const entries = Array.from(
    { length: count },
    (_, at) => `<sitemap><loc>${escapeHtml(`${publicAddress}/sitemaps/${at + 1}.xml`)}</loc></sitemap>\n`,
  )
  return `${HEAD}<sitemapindex xmlns="${NAMESPACE}">\n${entries.join('')}</sitemapindex>\n`
}

/**
 * Writes robots.txt: crawlers may read the pages but not the API, whose answers
 * contain addresses that expire within the hour.
 */
function robotsText(site: Site): string {
  const paths = site.isOwn ? ['/_/publications/'] : ['/publications/', '/files/']
  const disallowed = paths.map((path) => `Disallow: ${path}\n`).join('')
  return `User-agent: *\n${disallowed}Allow: /\n\nSitemap: ${site.origin}/sitemap.xml\n`
}
