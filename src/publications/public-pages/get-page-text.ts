import type { HttpServer } from '#platform/http/http-server.ts'
import type { PublicationsDeps } from '../deps.ts'
import { publicationNotFound } from '../errors.ts'
import { getShownPublication } from './shown-publication.ts'

const HEADERS = {
  'content-type': 'text/plain; charset=utf-8',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'cache-control': 'public, max-age=0, must-revalidate',
  // The public page has it, too.
  'x-robots-tag': 'noindex',
}

/** GET /p/:slug/text/:page: all of a page's text, where it is too long for the public page. */
export function pageText(app: HttpServer, { publicPages }: PublicationsDeps) {
  app.get<{ Params: { slug: string; page: string } }>(
    '/p/:slug/text/:page',
    { schema: { hide: true } },
    async ({ params }, reply) => {
      const publication = await getShownPublication(publicPages, params.slug)
      const page = /^[1-9]\d{0,6}$/.test(params.page) ? Number(params.page) : 0
      const [row] = await publicPages.pages(publication.version_id, page, page)
      if (row === undefined) throw publicationNotFound()
      return reply.headers(HEADERS).send(row.text)
    },
  )
}
