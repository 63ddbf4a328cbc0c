import { randomBytes } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import fastifyStatic from '@fastify/static'
import type { FastifyReply, FastifyRequest } from 'fastify'
import Type from 'typebox'
import { notFound } from '#platform/basics/errors.ts'
import { FOREVER, type HttpServer } from '#platform/http/http-server.ts'
import type { MapPages } from '#platform/pages/map-pages.ts'
import { previewPage } from '../../maps/chosen-map.ts'
import { requireHost, restrictToHost, type Site } from '../sessions/operator-guard.ts'
import { fillFirstWords, fillPage, firstWords, notBuiltPage } from './fill-page.ts'

const HIDDEN = { schema: { hide: true } } as const
const FilePath = Type.Object({ '*': Type.String() })

/** Files whose names contain a hash of their content, so that the content at an address never changes. */
const ASSETS = 'assets/'
/** Requested each time, and answered with 304 while unchanged. */
const REVALIDATED = 'no-cache'

/** A path with a file extension is a file. Any other path is a page, routed by the dashboard in the browser. */
const FILE_PATH = /\.[A-Za-z0-9]{1,12}$/

/** The page that shows a style before it is chosen. */
const MAP_PREVIEW = 'map-preview'

type Deps = Site & {
  /** Folder of the built dashboard. */
  dashboardDir: string
  mapPages: MapPages
  /** Returns the address for readers who come to `/`; undefined if it is for operators alone. */
  homeOfReaders?: () => Promise<string | undefined>
}

/** GET / and /dashboard/*: the built dashboard. */
export function serveDashboard(server: HttpServer, deps: Deps): void {
  const { dashboardDir, mapPages, homeOfReaders } = deps

  async function sendPage({ headers }: FastifyRequest, reply: FastifyReply, path: string) {
    const isPreview = path === MAP_PREVIEW
    const page = isPreview ? previewPage : await mapPages.forPage()
    if (isPreview) reply.raw.setHeader('x-frame-options', 'SAMEORIGIN')
    const language = firstWords.languageFor(headers['accept-language'])
    const nonce = randomBytes(16).toString('base64')
    const built = await readIfExists(join(dashboardDir, 'index.html'))
    return reply
      .code(built === undefined ? 503 : 200)
      .header('content-security-policy', page.contentSecurityPolicy(nonce, 'none'))
      .header('cache-control', REVALIDATED)
      .header('vary', 'Accept-Language')
      .type('text/html; charset=utf-8')
      .send(
        fillPage(
          built === undefined ? notBuiltPage : fillFirstWords(built, { language, nonce }),
          page.metaValues(nonce),
        ),
      )
  }

  server.get('/', HIDDEN, async ({ host }, reply) => {
    const home = await homeOfReaders?.()
    if (home !== undefined) return reply.header('cache-control', 'no-store').redirect(home, 302)
    requireHost(host, deps)
    // Relative, so that it works under any address of the server.
    return reply.redirect('dashboard/', 302)
  })

  void server.register(async (app: HttpServer) => {
    await app.register(fastifyStatic, {
      root: dashboardDir,
      serve: false,
      dotfiles: 'ignore',
      preCompressed: true,
      cacheControl: false,
    })
    restrictToHost(app, deps)
    app.addHook('onRequest', secureHeaders)

    app.get('/dashboard', HIDDEN, async (_request, reply) => reply.redirect('dashboard/', 308))
    app.get('/dashboard/*', { schema: { hide: true, params: FilePath } }, async (request, reply) => {
      const path = request.params['*']
      if (path === 'index.html' || !FILE_PATH.test(path)) return await sendPage(request, reply, path)
      if (isOutside(path)) throw notFound()
      return reply.header('cache-control', path.startsWith(ASSETS) ? FOREVER : REVALIDATED).sendFile(path)
    })
  })
}

/** Forbids framing, hides the dashboard's addresses from other sites, and cuts it off from windows that opened it. */
async function secureHeaders(_request: unknown, { raw }: FastifyReply): Promise<void> {
  raw.setHeader('x-frame-options', 'DENY')
  raw.setHeader('referrer-policy', 'same-origin')
  raw.setHeader('cross-origin-opener-policy', 'same-origin')
  raw.setHeader('cross-origin-resource-policy', 'same-origin')
  raw.setHeader('permissions-policy', 'camera=(), microphone=(), payment=(), usb=()')
}

/** Tells whether a path cannot belong to a built file. The library would refuse it, too. */
function isOutside(path: string): boolean {
  return path.includes('\0') || path.includes('\\') || path.split('/').some((part) => part.startsWith('.'))
}

async function readIfExists(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}
