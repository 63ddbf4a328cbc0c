import Type from 'typebox'
import { notFound } from '#platform/errors.ts'
import type { HttpServer } from '#platform/http/http-server.ts'
import type { Addresses } from '../domain/addresses.ts'
import type { PublicPageStore } from '../storage/public-page-store.ts'
import { MAX_SITEMAP_ENTRIES, robotsText, sitemap, sitemapIndex } from './html/sitemap.ts'

/** Crawlers come rarely. A client that asks all the time must not cause a scan of all publications each time. */
const CACHE_CONTROL = 'public, max-age=600'

const SitemapParams = Type.Object({ file: Type.String() })

type Deps = { addresses: Addresses; publicPages: PublicPageStore }

/** GET /robots.txt, /sitemap.xml and, if one sitemap is not enough, /sitemaps/:number.xml. */
export function getSitemap(app: HttpServer, { addresses, publicPages }: Deps) {
  app.get('/robots.txt', { schema: { hide: true } }, async (_request, reply) =>
    reply.type('text/plain; charset=utf-8').header('cache-control', CACHE_CONTROL).send(robotsText(addresses.public())),
  )

  app.get('/sitemap.xml', { schema: { hide: true } }, async (_request, reply) => {
    const maps = Math.ceil((await publicPages.count()) / MAX_SITEMAP_ENTRIES)
    reply.type('application/xml; charset=utf-8').header('cache-control', CACHE_CONTROL)
    if (maps > 1) return reply.send(sitemapIndex(addresses.public(), maps))
    return reply.send(sitemap(addresses.public(), await publicPages.list(0, MAX_SITEMAP_ENTRIES)))
  })

  app.get('/sitemaps/:file', { schema: { hide: true, params: SitemapParams } }, async ({ params }, reply) => {
    const number = Number(/^([1-9]\d{0,5})\.xml$/.exec(params.file)?.[1] ?? 0)
    const pages = number === 0 ? [] : await publicPages.list((number - 1) * MAX_SITEMAP_ENTRIES, MAX_SITEMAP_ENTRIES)
    if (pages.length === 0) throw notFound()
    return reply
      .type('application/xml; charset=utf-8')
      .header('cache-control', CACHE_CONTROL)
      .send(sitemap(addresses.public(), pages))
  })
}
