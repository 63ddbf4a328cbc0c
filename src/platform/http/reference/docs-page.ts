import { hash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import helmet from '@fastify/helmet'
import type { OpenAPIV3_1 } from 'openapi-types'
import type { HttpServer } from '../http-server.ts'
import { sendKept } from '../ranges/kept-text.ts'
import { referencePage } from './page.ts'
import { resolveReferences } from './resolve-references.ts'

/** Allows the page and its stylesheet, and nothing else to be loaded, run or framed. */
const CONTENT_SECURITY_POLICY = {
  'default-src': ["'none'"],
  'style-src': ["'self'"],
  'img-src': ['data:'],
  'base-uri': ["'none'"],
  'form-action': ["'none'"],
  'frame-ancestors': ["'none'"],
}

/** One year: the address changes with the content. */
const FOREVER = 'public, max-age=31536000, immutable'

/** GET /docs: the API reference for people, made from the description. */
export function docsPage(server: HttpServer, describe: () => OpenAPIV3_1.Document): void {
  const style = readFileSync(new URL('style.css', import.meta.url), 'utf8')
  // Relative, so that the page also works behind a proxy that adds a path.
  const styleAddress = `docs/style.${hash('sha256', style).slice(0, 12)}.css`
  const sendPage = sendKept('text/html; charset=utf-8', () =>
    referencePage(resolveReferences(describe()), styleAddress),
  )

  void server.register(async (app: HttpServer) => {
    await app.register(helmet, {
      contentSecurityPolicy: { useDefaults: false, directives: CONTENT_SECURITY_POLICY },
      referrerPolicy: { policy: 'no-referrer' },
      strictTransportSecurity: false,
    })
    app.get('/docs', { schema: { hide: true }, compress: false }, sendPage)
    app.get('/docs/', { schema: { hide: true } }, async (_request, reply) => reply.redirect('../docs', 308))
    app.get(`/${styleAddress}`, { schema: { hide: true } }, async (_request, reply) =>
      reply.type('text/css; charset=utf-8').header('cache-control', FOREVER).send(style),
    )
  })
}
