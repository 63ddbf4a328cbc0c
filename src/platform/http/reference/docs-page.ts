import { hash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { basename } from 'node:path'
import helmet from '@fastify/helmet'
import type { OpenAPIV3_1 } from 'openapi-types'
import Type from 'typebox'
import { notFound } from '../../errors.ts'
import type { HttpServer } from '../http-server.ts'
import { sendKept } from '../ranges/kept-text.ts'
import { GUIDES, type Guide } from './guides.ts'
import { ICON, referencePage } from './page.ts'
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

const DOCS = `${import.meta.resolve('#project/docs')}/`

const GuideParams = Type.Object({ guide: Type.String() })

/** One year: the address changes with the content. */
const FOREVER = 'public, max-age=31536000, immutable'

/** GET /docs and /docs/:guide: the API reference for people, made from the description, and the guides. */
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
    const guides = new Map(
      Object.keys(GUIDES).map((guide) => [guide, sendGuide(guide as Guide, basename(styleAddress))]),
    )
    app.get('/docs/:guide', { schema: { hide: true, params: GuideParams }, compress: false }, (request, reply) => {
      const send = guides.get((request.params as { guide: string }).guide)
      if (send === undefined) throw notFound()
      return send(request, reply)
    })
    app.get(`/${styleAddress}`, { schema: { hide: true } }, async (_request, reply) =>
      reply.type('text/css; charset=utf-8').header('cache-control', FOREVER).send(style),
    )
  })
}

/** Sends a guide, read with the first request for it, as is what writes it. Its style lies next to it. */
function sendGuide(guide: Guide, style: string) {
  return sendKept('text/html; charset=utf-8', async () => {
    const { guidePage } = await import('./guide-page.ts')
    return guidePage(guide, await readFile(new URL(`${guide}.md`, DOCS), 'utf8'), { style, icon: ICON })
  })
}
