import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'

/** Upper bounds of the request time buckets, in seconds. */
const DURATION_BUCKETS_SEC = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10]

/** An answered request. */
type ObservedAnswer = {
  method: string
  route: string
  status: number
  /** Undefined for an event stream, which lasts as long as its client stays. */
  durationSec: number | undefined
  /** The code of the problem, if the answer is one. */
  problemCode: string | undefined
}

/** Event streams of one kind of client. */
type StreamCount = { service: string; client: 'operator' | 'public'; count: number }

/** Functions that count open connections, requests and streams. */
type OpenCounts = { connections(): Promise<number>; streams(): readonly StreamCount[] }

/** The metrics of the process. Services register their own in `registry`. */
export type HttpMetrics = ReturnType<typeof createHttpMetrics>

export function createHttpMetrics() {
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
    help: 'Time from the request head to the end of the answer, without live streams.',
    labelNames: ['method', 'route'],
    buckets: DURATION_BUCKETS_SEC,
    registers: [registry],
  })
  const problems = new Counter({
    name: 'http_problems_total',
    help: 'Requests answered with a problem, by its code.',
    labelNames: ['code'],
    registers: [registry],
  })
  // Known from the start, so that an alert sees the first of them.
  for (const code of ['INTERNAL', 'UNAVAILABLE', 'RATE_LIMIT']) problems.inc({ code }, 0)
  const refused = new Counter({
    name: 'http_connections_refused_total',
    help: 'Connections refused because their address has too many.',
    registers: [registry],
  })
  const stalls = new Counter({
    name: 'http_stalls_total',
    help: 'Times that the thread which answers requests did nothing else for a second or more, by the route it was at.',
    labelNames: ['route'],
    registers: [registry],
  })
  // Known from the start, so that an alert sees the first of them.
  stalls.inc({ route: 'none' }, 0)
  const stallSeconds = new Counter({
    name: 'http_stall_seconds_total',
    help: 'Length of those times, together.',
    registers: [registry],
  })
  const countAnswer = createAnswerCount(requests, durations)
  return {
    registry,
    /** Counts one answered request. `route` is the pattern, never the address, so that it has few values. */
    observe(answer: ObservedAnswer): void {
      countAnswer(answer)
      if (answer.problemCode !== undefined) problems.inc({ code: answer.problemCode })
    },
    /** Counts a connection that was refused because of the limit of its address. */
    connectionRefused: (): void => refused.inc(),
    /** Counts a time for which the thread that answers requests did nothing else, by the route that it was at. */
    stalled({ route, durationSec }: { route: string; durationSec: number }): void {
      stalls.inc({ route })
      stallSeconds.inc(durationSec)
    },
    /** Reads the counts on each scrape. */
    watchOpen: (open: OpenCounts): void => addOpenGauges(registry, open),
  }
}

/** Looks up labels once for each combination, which takes the library longer than counting. */
function createAnswerCount(
  requests: Counter<'method' | 'route' | 'status'>,
  durations: Histogram<'method' | 'route'>,
): (answer: ObservedAnswer) => void {
  const found = new Map<string, { requests: Counter.Internal; durations: Histogram.Internal<'method' | 'route'> }>()
  return ({ method, route, status, durationSec }) => {
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
    if (durationSec !== undefined) values.durations.observe(durationSec)
  }
}

function addOpenGauges(registry: Registry, { connections, streams }: OpenCounts): void {
  new Gauge({
    name: 'http_connections',
    help: 'Open connections of clients and proxies.',
    registers: [registry],
    async collect() {
      this.set(await connections())
    },
  })
  new Gauge({
    name: 'http_event_streams',
    help: 'Open live streams, by service and kind of client.',
    labelNames: ['service', 'client'],
    registers: [registry],
    collect() {
      for (const { service, client, count } of streams()) this.set({ service, client }, count)
    },
  })
}
