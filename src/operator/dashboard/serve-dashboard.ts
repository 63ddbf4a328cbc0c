import { randomBytes } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import fastifyStatic from '@fastify/static'
import type { FastifyReply } from 'fastify'
import { notFound } from '#platform/errors.ts'
import type { HttpServer } from '#platform/http/http-server.ts'
import type { OperatorDeps } from '../deps.ts'
import { keepToOwnHost } from '../sessions/restrict-to-host.ts'
import { contentSecurityPolicy, mapOriginsOf } from './content-security-policy.ts'
import { fillPage } from './fill-page.ts'
import { notBuiltPage } from './not-built-page.ts'

const HIDDEN = { schema: { hide: true } } as const

/** Files that the build names after what is in them: at this address there will never be anything else. */
const ASSETS = 'assets/'
const FOREVER = 'public, max-age=31536000, immutable'
/** Asked for anew each time, and answered with 304 while it is the same. */
const ASKED_EACH_TIME = 'no-cache'

/** Anything whose last part has an ending is a file; all else is a page, whose address the dashboard itself reads. */
const FILE_PATH = /\.[A-Za-z0-9]{1,12}$/

type Deps = Pick<OperatorDeps, 'dashboardDir' | 'mapStyleUrl' | 'mapOrigins' | 'baseUrl' | 'otherUrls'>

/** GET / and /dashboard/*: the built dashboard. */
export function serveDashboard(server: HttpServer, deps: Deps): void {
  const { dashboardDir, mapStyleUrl, mapOrigins } = deps
  const origins = mapOriginsOf(mapStyleUrl, mapOrigins)

  async function sendPage(reply: FastifyReply) {
    const nonce = randomBytes(16).toString('base64')
    const built = await readIfThere(join(dashboardDir, 'index.html'))
    return reply
      .code(built === undefined ? 503 : 200)
      .header('content-security-policy', contentSecurityPolicy(nonce, origins))
      .header('cache-control', ASKED_EACH_TIME)
      .type('text/html; charset=utf-8')
      .send(built === undefined ? notBuiltPage : fillPage(built, { nonce, mapStyleUrl }))
  }

  void server.register(async (plugin) => {
    const app = plugin as unknown as HttpServer
    await app.register(fastifyStatic, {
      root: dashboardDir,
      serve: false,
      dotfiles: 'ignore',
      preCompressed: true,
      cacheControl: false,
    })
    keepToOwnHost(app, deps)
    app.addHook('onRequest', secureHeaders)

    // Relative, so that it does not matter by which address the server is reached.
    app.get('/', HIDDEN, async (_request, reply) => reply.redirect('dashboard/', 302))
    app.get('/dashboard', HIDDEN, async (_request, reply) => reply.redirect('dashboard/', 308))
    app.get<{ Params: { '*': string } }>('/dashboard/*', HIDDEN, async ({ params }, reply) => {
      const path = params['*']
      if (path === 'index.html' || !FILE_PATH.test(path)) return await sendPage(reply)
      if (isOutside(path)) throw notFound()
      return reply.header('cache-control', path.startsWith(ASSETS) ? FOREVER : ASKED_EACH_TIME).sendFile(path)
    })
  })
}

/** Nothing frames it, nothing learns of its addresses, and no window that opened it gets hold of it. */
async function secureHeaders(_request: unknown, { raw }: FastifyReply): Promise<void> {
  raw.setHeader('x-frame-options', 'DENY')
  raw.setHeader('referrer-policy', 'same-origin')
  raw.setHeader('cross-origin-opener-policy', 'same-origin')
  raw.setHeader('cross-origin-resource-policy', 'same-origin')
  raw.setHeader('permissions-policy', 'camera=(), microphone=(), payment=(), usb=()')
}

/** A path that no built file has; the library would refuse it as well. */
function isOutside(path: string): boolean {
  return path.includes('\0') || path.includes('\\') || path.split('/').some((part) => part.startsWith('.'))
}

async function readIfThere(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}
