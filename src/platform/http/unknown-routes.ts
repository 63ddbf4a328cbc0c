import { hash } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { methodNotAllowed, notFound } from '../basics/errors.ts'
import { documentHead, Html, html, htmlDocument } from '../pages/html.ts'
import { contentSecurityPolicy } from '../pages/page-headers.ts'
import { readPageTexts } from '../pages/page-texts.ts'
import { type HttpServer, SERVICE_HEADER } from './http-server.ts'
import { preferredMediaType } from './negotiation.ts'
import { sendProblem, toAppError } from './problem.ts'
import { limitUnreadBody } from './request-body.ts'
import type english from './unknown-page.en.json'

/**
 * Answers requests that match no route: 405 with `Allow` if the address exists for other methods, else 404, which is a
 * page for browsers.
 * To be called before any route is added, because it observes their registration.
 */
export function answerUnknownRoutes(app: HttpServer): void {
  const addresses = new Map<string, { pattern: RegExp; methods: Set<string> }>()

  app.addHook('onRoute', ({ url, method }) => {
    const address = addresses.get(url) ?? { pattern: patternOf(url), methods: new Set<string>() }
    for (const name of [method].flat()) address.methods.add(name.toUpperCase())
    addresses.set(url, address)
  })

  function methodsAt(path: string): Set<string> {
    const methods = new Set<string>()
    for (const { pattern, methods: some } of addresses.values()) {
      if (pattern.test(path)) for (const method of some) methods.add(method)
    }
    methods.delete('OPTIONS')
    return methods
  }

  // Answered before the body is read, so that an error of the body cannot take precedence.
  app.addHook('onRequest', (request, reply, done) => {
    if (!request.is404) return done()
    const methods = methodsAt(request.url.split('?')[0])
    if (methods.size === 0 || methods.has(request.method)) {
      if (asksForPage(request)) return void sendUnknownPage(request, reply, addresses.has('/'))
      return done(notFound())
    }
    done(methodNotAllowed({ headers: { allow: [...methods].sort().join(', ') } }))
  })
  app.setNotFoundHandler(() => {
    throw notFound()
  })
}

/** Returns an expression for the addresses of a route. A catch-all (`*`) is not an address of its own. */
function patternOf(url: string): RegExp {
  if (url === '*' || url === '/*') return /(?!)/
  const source = url
    .split('/')
    .map((part) => (part.startsWith(':') ? '[^/]+' : part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')))
    .join('/')
  return new RegExp(`^${source}$`)
}

const TEXTS = readPageTexts<keyof typeof english>(new URL('unknown-page.en.json', import.meta.url))

/** In the design of the pages for readers, whose stylesheet this file does not know. */
const STYLE = `
:root { color-scheme: light dark; }
body { display: flex; flex-direction: column; min-height: 100svh; margin: 0; background: light-dark(#f3f1ec, #171614);
  color: light-dark(#1d1b18, #ece9e3);
  font: 1rem/1.5 system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", "Noto Sans", sans-serif; }
main { box-sizing: border-box; flex: 1; align-content: center; width: min(36rem, 100%); margin: 0 auto;
  padding: 3rem 1.5rem; }
h1 { margin: 0; letter-spacing: -0.012em; text-wrap: balance; font: 600 clamp(1.6rem, 1.2rem + 2vw, 2.3rem)/1.14
  ui-serif, "Iowan Old Style", "Palatino Linotype", Palatino, "URW Palladio L", P052, Georgia, "Noto Serif", serif; }
h1 ~ p { margin: 1rem 0 0; color: light-dark(#5d5850, #aba59a); font-size: 1.0625rem; text-wrap: pretty; }
.code { margin: 0 0 .5rem; color: light-dark(#5d5850, #aba59a); font-size: .9375rem; letter-spacing: .08em;
  font-variant-numeric: tabular-nums; }
a { color: light-dark(#0b6158, #7ad3c6); }
`

/** Allows the page’s own style, and nothing else to be loaded, run or framed. */
const POLICY = contentSecurityPolicy(
  {
    'default-src': "'none'",
    'style-src': `'sha256-${hash('sha256', STYLE, 'base64')}'`,
    'base-uri': "'none'",
    'form-action': "'none'",
  },
  'none',
)

/** Tells whether a request is one of a browser for a page. Programs that accept anything get problem details. */
function asksForPage({ method, headers }: FastifyRequest): boolean {
  if (method !== 'GET' && method !== 'HEAD') return false
  return (
    preferredMediaType(headers.accept, ['application/problem+json', 'application/json', 'text/html']) === 'text/html'
  )
}

/** Answers 404 with a page for people. `hasHome` tells whether there is a page at `/`. */
function sendUnknownPage(request: FastifyRequest, reply: FastifyReply, hasHome: boolean): FastifyReply {
  const language = TEXTS.languageFor(request.headers['accept-language'])
  const t = TEXTS.of(language)
  const head = documentHead({
    title: t('title'),
    metas: { robots: 'noindex' },
    rest: html`<style>${new Html(STYLE)}</style>`,
  })
  const body = html`<body>
<main>
<p class="code">404</p>
<h1>${t('title')}</h1>
<p>${t('detail')}</p>
${hasHome && html`<p><a href="/">${t('home')}</a></p>\n`}</main>
</body>`
  return reply
    .code(404)
    .header('content-security-policy', POLICY)
    .header('referrer-policy', 'no-referrer')
    .header('cache-control', 'no-store')
    .header('vary', 'Accept, Accept-Language')
    .type('text/html; charset=utf-8')
    .send(htmlDocument(language, head, body))
}

type Answer = (error: unknown, request: FastifyRequest, reply: FastifyReply) => unknown

/** Functions of each server that answer malformed addresses below a path. */
const answersOf = new WeakMap<object, { path: string; answer: Answer }[]>()

/** Writes the page about a failure with its headers. */
type WritePage = (
  status: number,
  request: FastifyRequest,
) => Promise<{ headers: Readonly<Record<string, string>>; page: string }>

/**
 * Answers failures in this scope with an HTML page instead of problem details, and malformed addresses below a path,
 * such as `/p/%`: they reach no route, and so no error handler of a route.
 */
export function answerAsPages(app: HttpServer, path: string, write: WritePage): void {
  const answer: Answer = async (thrown, request, reply) => {
    const error = toAppError(thrown)
    if (error.status >= 500)
      request.log.error({ err: error.cause ?? error, route: request.routeOptions.url }, 'page failed')
    const { headers, page } = await write(error.status, request)
    return reply
      .code(error.status)
      .headers(error.headers)
      .headers(headers)
      .header('cache-control', 'no-store')
      .send(page)
  }
  app.setErrorHandler(answer)
  answersOf.set(app.server, [...(answersOf.get(app.server) ?? []), { path, answer }])
}

/** Answers a request that failed before it had a route. */
export function answerMalformed(error: unknown, request: FastifyRequest, reply: FastifyReply): void {
  // No hook runs after this response.
  if (!request.raw.complete) limitUnreadBody(request.raw)
  const answers = answersOf.get(request.server.server) ?? []
  const { answer = sendProblem } = answers.find(({ path }) => request.url.startsWith(path)) ?? {}
  reply.header('x-request-id', request.id)
  reply.header(SERVICE_HEADER.name, SERVICE_HEADER.value)
  reply.header('x-content-type-options', 'nosniff')
  answer(error, request, reply)
}
