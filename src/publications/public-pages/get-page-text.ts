import Type from 'typebox'
import type { HttpServer } from '#platform/http/http-server.ts'
import { publicationNotFound } from '../errors.ts'
import { SlugParams } from '../schemas/slug-params.ts'
import type { PublicPageStore } from '../storage/public-page-store.ts'
import { getShownPublication } from './shown-publication.ts'

const HEADERS = {
  'content-type': 'text/plain; charset=utf-8',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'cache-control': 'public, max-age=0, must-revalidate',
  // Search engines find the text on the public page.
  'x-robots-tag': 'noindex',
}

const PageTextParams = Type.Object({ ...SlugParams.properties, page: Type.String() })

/** GET /p/:slug/text/:page: the full text of a page, if it is too long for the public page. */
export function getPageText(app: HttpServer, { publicPages }: { publicPages: PublicPageStore }) {
  app.get('/p/:slug/text/:page', { schema: { hide: true, params: PageTextParams } }, async ({ params }, reply) => {
    const publication = await getShownPublication(publicPages, params.slug)
    const page = /^[1-9]\d{0,6}$/.test(params.page) ? Number(params.page) : 0
    const row = await publicPages.page(publication.version_id, page)
    if (row === undefined) throw publicationNotFound()
    return reply.headers(HEADERS).send(row.text)
  })
}
