import type { HttpServer } from '#platform/http/http-server.ts'
import { ASSETS_PATH, type Assets } from './assets.ts'

/** A year: a changed file gets another address. */
const FOREVER = 'public, max-age=31536000, immutable'

/** GET /p/_/…: the stylesheet and the scripts of public pages. */
export function getPageAssets(app: HttpServer, { pageAssets }: { pageAssets: Assets }) {
  const { style, script, firstPaint, reader } = pageAssets
  for (const { name, contentType, text } of [style, script, firstPaint, ...(reader ? [reader] : [])]) {
    app.get(`${ASSETS_PATH}/${name}`, { schema: { hide: true } }, async (_request, reply) =>
      reply.type(contentType).header('cache-control', FOREVER).send(text),
    )
  }
}
