import { methodNotAllowed, notFound } from '../../errors.ts'
import type { HttpServer } from '../http-server.ts'
import { asksForPage, sendUnknownPage } from './unknown-page.ts'

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
