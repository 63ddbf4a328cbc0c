import { readFileSync } from 'node:fs'
import { opendir, stat } from 'node:fs/promises'
import { Counter } from 'prom-client'
import type { Logger } from '../basics/logger.ts'
import { ticking } from '../basics/timers.ts'
import type { HttpMetrics } from './http-metrics.ts'
import type { HttpServer } from './http-server.ts'

/** Time for which the thread is not heard of, after which it has stalled. No request may take a tenth of it. */
const STALL_MS = 1000
/** Interval of the signs of life. */
const TICK_EVERY_MS = 200

type StallOptions = { logger: Logger; metrics: HttpMetrics; stallMs?: number; tickEveryMs?: number }

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

  const stop = ticking(tickEveryMs, tick)
  app.addHook('onClose', async () => stop())
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

const LOOK_EVERY_MS = 5000
/** Shares of the limit from which the log warns, and below which it may warn again. */
const WARN_AT = 0.9
const CALM_BELOW = 0.8

const OPEN_FILES = '/proc/self/fd'
const LIMITS = '/proc/self/limits'

type Options = {
  logger: Logger
  metrics: HttpMetrics
  lookEveryMs?: number
}

/**
 * Warns when the process has opened nearly as many files and connections as the system allows, and says and counts
 * when there are none left. Then libuv closes each new connection before the program hears of it, so nothing else
 * tells, and a scrape of the metrics does not get through either. Only Linux tells the numbers.
 */
export function watchOpenFiles(app: HttpServer, { logger, metrics, lookEveryMs = LOOK_EVERY_MS }: Options): void {
  const usedUp = new Counter({
    name: 'open_files_used_up_total',
    help: 'Looks, one each five seconds, that found no file descriptor left: new connections were closed.',
    registers: [metrics.registry],
  })
  const limit = findLimit()
  if (limit === undefined) return
  let isHigh = false

  const look = async () => {
    try {
      const open = await countOpenFiles()
      if (open >= limit) throw Object.assign(new Error('too many open files'), { code: 'EMFILE' })
      if (open >= limit * WARN_AT && !isHigh)
        logger.warn({ open, limit }, 'most of the files and connections that the system allows are open')
      isHigh = open >= limit * (isHigh ? CALM_BELOW : WARN_AT)
    } catch (err) {
      if (!isExhausted(err)) return
      usedUp.inc()
      logger.error({ err, limit }, 'no file or connection can be opened: new connections are closed without an answer')
    }
  }

  const stop = ticking(lookEveryMs, () => void look())
  app.addHook('onClose', async () => stop())
}

/** Returns how many files and connections may be open; undefined where the system does not tell. */
function findLimit(): number | undefined {
  try {
    const [, limit] = /^Max open files +(\d+)/m.exec(readFileSync(LIMITS, 'utf8')) ?? []
    return limit === undefined ? undefined : Number(limit)
  } catch {
    return undefined
  }
}

/** Newer kernels tell the number as a size. Others list all of them, which is read in pieces. */
async function countOpenFiles(): Promise<number> {
  const { size } = await stat(OPEN_FILES)
  if (size > 0) return size
  let count = 0
  for await (const _ of await opendir(OPEN_FILES, { bufferSize: 512 })) count++
  return count
}

function isExhausted(error: unknown): boolean {
  const { code } = error as { code?: unknown }
  return code === 'EMFILE' || code === 'ENFILE'
}
