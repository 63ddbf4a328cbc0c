import type { Logger } from '../../logger.ts'
import type { HttpServer } from '../http-server.ts'
import type { HttpMetrics } from './metrics.ts'

/** Time for which the thread is not heard of, after which it has stalled. No request may take a tenth of it. */
const STALL_MS = 1000
/** Interval of the signs of life. */
const TICK_EVERY_MS = 200

type StallOptions = { logger: Logger; metrics: Pick<HttpMetrics, 'stalled'>; stallMs?: number; tickEveryMs?: number }

/**
 * Logs and counts each time that the thread which answers requests did nothing else for a second, with the route that
 * it was last at. The thread cannot look at itself meanwhile, so each request leaves its route before its body is
 * parsed, before it is checked and before it is handled. The line has the pattern of the route, because an address can
 * be a capability. Its processor time tells a program that computes from a machine that is busy or was asleep.
 */
export function watchStalls(app: HttpServer, options: StallOptions): void {
  const { logger, metrics, stallMs = STALL_MS, tickEveryMs = TICK_EVERY_MS } = options
  const limitMs = tickEveryMs + stallMs
  let tickedAtMs = performance.now()
  let usedBefore = process.threadCpuUsage()
  let route = 'none'

  const pass = (at: string) => {
    // Requests that arrived during a stall come before the next tick, and are not to blame.
    if (performance.now() - tickedAtMs < limitMs) route = at
  }
  const tick = () => {
    const nowMs = performance.now()
    const stalledMs = nowMs - tickedAtMs - tickEveryMs
    const { user, system } = process.threadCpuUsage(usedBefore)
    if (stalledMs >= stallMs) {
      metrics.stalled({ route, durationSec: stalledMs / 1000 })
      const line = { route, stalledMs: Math.round(stalledMs), processorMs: Math.round((user + system) / 1000) }
      logger.warn(line, 'the thread that answers requests stalled')
    }
    tickedAtMs = nowMs
    usedBefore = process.threadCpuUsage()
    route = 'none'
  }

  const timer = setInterval(tick, tickEveryMs).unref()
  app.addHook('onClose', async () => clearInterval(timer))
  app.addHook('onRequest', (request, _reply, done) => {
    pass(request.routeOptions.url ?? 'unknown')
    done()
  })
  app.addHook('preParsing', (request, _reply, payload, done) => {
    const at = request.routeOptions.url ?? 'unknown'
    if (request.method !== 'GET' && request.method !== 'HEAD') payload.once('end', () => pass(at))
    done()
  })
  app.addHook('preValidation', (request, _reply, done) => {
    pass(request.routeOptions.url ?? 'unknown')
    done()
  })
  app.addHook('preHandler', (request, _reply, done) => {
    pass(request.routeOptions.url ?? 'unknown')
    done()
  })
}
