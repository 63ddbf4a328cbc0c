import { randomBytes } from 'node:crypto'
import type { HttpServer } from '#platform/http/http-server.ts'
import type { MapPages } from '#platform/http/server/map-pages.ts'
import type { BuiltPages } from './assets/built-pages.ts'
import { forwardPage } from './html/forward-page.ts'
import { pageLanguage } from './html/language.ts'
import { pageHeaders } from './page-headers.ts'

type Deps = { mapPages: MapPages; built: Pick<BuiltPages, 'forward'> }

/**
 * GET /dashboard/share: the address of links of earlier versions, with the token in the fragment. Only a script sees
 * it, so a script forwards to the page of today.
 */
export function forwardOldLinks(app: HttpServer, { mapPages, built }: Deps) {
  app.get('/dashboard/share', { schema: { hide: true } }, async ({ headers }, reply) => {
    const nonce = randomBytes(16).toString('base64')
    const language = pageLanguage(undefined, headers['accept-language'])
    const map = await mapPages.forPage()
    return reply.headers(pageHeaders(map, nonce, 'none')).send(forwardPage(language, nonce, built.forward))
  })
}
