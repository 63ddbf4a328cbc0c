import type { HttpServer } from '#platform/http/http-server.ts'
import type { PublicationsDeps } from '../deps.ts'
import { ASSETS_PATH } from './assets.ts'

/** A year, for what is at another address once it changes. */
const FOREVER = 'public, max-age=31536000, immutable'

/** GET /p/_/…: the stylesheet and the scripts of public pages. */
export function pageAssets(app: HttpServer, { pageAssets }: PublicationsDeps) {
  const { style, script, returning, reader } = pageAssets
  for (const { name, contentType, text } of [style, script, returning, ...(reader ? [reader] : [])]) {
    app.get(`${ASSETS_PATH}/${name}`, { schema: { hide: true } }, async (_request, reply) =>
      reply.type(contentType).header('cache-control', FOREVER).send(text),
    )
  }
}
