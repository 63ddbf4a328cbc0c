import { readFileSync } from 'node:fs'
import { opendir, stat } from 'node:fs/promises'
import { Counter } from 'prom-client'
import type { Logger } from '../../logger.ts'
import type { HttpServer } from '../http-server.ts'
import type { HttpMetrics } from './metrics.ts'

const LOOK_EVERY_MS = 5000
/** Shares of the limit from which the log warns, and below which it may warn again. */
const WARN_AT = 0.9
const CALM_BELOW = 0.8

const OPEN_FILES = '/proc/self/fd'
const LIMITS = '/proc/self/limits'

type Options = {
  logger: Pick<Logger, 'warn' | 'error'>
  metrics: Pick<HttpMetrics, 'registry'>
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

  const timer = setInterval(() => void look(), lookEveryMs).unref()
  app.addHook('onClose', async () => clearInterval(timer))
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
