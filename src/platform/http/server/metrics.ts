import { Counter, collectDefaultMetrics, Histogram, Registry } from 'prom-client'

/** Upper bounds of the request time buckets, in seconds. */
const DURATION_BUCKETS_SEC = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10]

/** The metrics of the process. Services register their own in `registry`. */
export type HttpMetrics = {
  registry: Registry
  /** Counts one answered request. `route` is the pattern, never the address, so that it has few values. */
  observe(method: string, route: string, status: number, durationSec: number): void
}

export function createHttpMetrics(): HttpMetrics {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  const labelNames = ['method', 'route', 'status'] as const
  const requests = new Counter({
    name: 'http_requests_total',
    help: 'Requests answered.',
    labelNames,
    registers: [registry],
  })
  const durations = new Histogram({
    name: 'http_request_duration_seconds',
    help: 'Time from the request head to the end of the answer.',
    labelNames: ['method', 'route'],
    buckets: DURATION_BUCKETS_SEC,
    registers: [registry],
  })
  // Looking up labels takes the library longer than counting, so each combination is looked up once.
  const found = new Map<string, { requests: Counter.Internal; durations: Histogram.Internal<'method' | 'route'> }>()
  return {
    registry,
    observe(method, route, status, durationSec) {
      const key = `${method} ${status} ${route}`
      let values = found.get(key)
      if (values === undefined) {
        values = {
          requests: requests.labels({ method, route, status }),
          durations: durations.labels({ method, route }),
        }
        found.set(key, values)
      }
      values.requests.inc()
      values.durations.observe(durationSec)
    },
  }
}
