import { endRequestSpan } from '../tracing/request-span.ts'
import { contextFrom, isTracing, rootContext, runIn, startSpan } from '../tracing/spans.ts'
import { addressMatcher } from './client.ts'
import type { HttpServer } from './http-server.ts'

/** Routes of probes, which would be most of the traces of a quiet server. */
const UNTRACED = new Set(['/healthz', '/readyz', '/metrics'])

/**
 * Makes a span of each request, in which everything else happens. It has the pattern of the route and never the
 * address, which can be a capability. A trace is continued only for trusted proxies: anyone else could make the server
 * record everything, or mix their requests into the traces of others.
 */
export function traceRequests(app: HttpServer, trustedProxies: readonly string[]): void {
  app.decorateRequest('span', undefined)
  if (!isTracing()) return
  const isTrusted = addressMatcher(trustedProxies)
  app.addHook('onRequest', (request, reply, done) => {
    const { method, raw } = request
    const route = request.routeOptions.url ?? 'unknown'
    if (UNTRACED.has(route) || !isTracing()) return done()
    const isContinued = isTrusted(raw.socket.remoteAddress ?? '')
    const within = isContinued ? contextFrom(raw.headers) : rootContext()!
    const attributes = { 'http.request.method': method, 'http.route': route, 'trackpress.request_id': request.id }
    const span = startSpan(`${method} ${route}`, { kind: 'server', attributes, within })!
    request.span = span
    reply.raw.once('close', () => endRequestSpan(request, reply.statusCode))
    runIn(span, within, done)
  })
}
