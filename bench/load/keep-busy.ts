import type { Target } from '../program/target.ts'
import { Connection } from './connection.ts'

/** Requests of which one's cost can be told. */
const ENOUGH_REQUESTS = 3_000
/** Bound of a load on a busy machine, as a multiple of its duration. */
const LONGEST = 8

/** Results of a server under load. */
export type Load = { requests: number; requestsPerSec: number; latenciesMs: Float64Array }

export type LoadOptions = {
  connections: number
  /** The load lasts this long, and on a busy machine until there are enough requests to tell what one costs. */
  durationMs: number
  /** Returns the next request of a connection, after its previous one was answered. */
  nextRequest(connection: number): Buffer
}

/** Sends requests over several connections at once, one at a time on each. Every response must be 2xx. */
export async function keepBusy(target: Target, options: LoadOptions): Promise<Load> {
  const { connections, durationMs, nextRequest } = options
  const open = await Promise.all(Array.from({ length: connections }, () => Connection.open(target.url)))
  const latencies: number[] = []
  const startMs = performance.now()
  const isOver = (nowMs: number) =>
    nowMs >= startMs + durationMs && (latencies.length >= ENOUGH_REQUESTS || nowMs >= startMs + LONGEST * durationMs)
  await Promise.all(open.map((connection, i) => run(connection, i)))
  const tookSec = (performance.now() - startMs) / 1000
  for (const connection of open) connection.close()
  const requests = latencies.length
  return { requests, requestsPerSec: requests / tookSec, latenciesMs: Float64Array.from(latencies).sort() }

  async function run(connection: Connection, index: number): Promise<void> {
    for (let nowMs = performance.now(); !isOver(nowMs); ) {
      const { status } = await connection.exchange(nextRequest(index))
      if (status < 200 || status > 299) throw new Error(`${target.name} answered ${status}`)
      const doneMs = performance.now()
      latencies.push(doneMs - nowMs)
      nowMs = doneMs
    }
  }
}
