import { methodNotAllowed, notFound } from '../errors.ts'
import type { HttpServer } from './http-server.ts'

/**
 * Answers what no route takes: 405 with `Allow` where the address exists for other methods, else 404.
 * To be called before any route is added, because it listens to them.
 */
export function answerUnknownRoutes(app: HttpServer): void {
  const addresses = new Map<string, { pattern: RegExp; methods: Set<string> }>()

  app.addHook('onRoute', ({ url, method }) => {
    const address = addresses.get(url) ?? { pattern: patternOf(url), methods: new Set<string>() }
    for (const name of [method].flat()) address.methods.add(name.toUpperCase())
    addresses.set(url, address)
  })

  app.setNotFoundHandler((request) => {
    const path = request.url.split('?')[0]
    const allowed = new Set<string>()
    for (const { pattern, methods } of addresses.values()) {
      if (pattern.test(path)) for (const method of methods) allowed.add(method)
    }
    allowed.delete('OPTIONS')
    if (allowed.size === 0 || allowed.has(request.method)) throw notFound()
    throw methodNotAllowed({ headers: { allow: [...allowed].sort().join(', ') } })
  })
}

/** What a route's pattern matches; a catch-all (`*`) is not an address of its own. */
function patternOf(url: string): RegExp {
  if (url === '*' || url === '/*') return /(?!)/
  const source = url
    .split('/')
    .map((part) => (part.startsWith(':') ? '[^/]+' : part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')))
    .join('/')
  return new RegExp(`^${source}$`)
}
