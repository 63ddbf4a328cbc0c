import { Connection } from './connection.ts'
import type { Target } from './target.ts'

/** Results of a server under load. */
export type Load = { requestsPerSec: number; latenciesMs: Float64Array }

export type LoadOptions = {
  connections: number
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
  const endMs = startMs + durationMs
  await Promise.all(open.map((connection, i) => run(connection, i)))
  const tookSec = (performance.now() - startMs) / 1000
  for (const connection of open) connection.close()
  return { requestsPerSec: latencies.length / tookSec, latenciesMs: Float64Array.from(latencies).sort() }

  async function run(connection: Connection, index: number): Promise<void> {
    for (let nowMs = performance.now(); nowMs < endMs; ) {
      const { status } = await connection.exchange(nextRequest(index))
      if (status < 200 || status > 299) throw new Error(`${target.name} answered ${status}`)
      const doneMs = performance.now()
      latencies.push(doneMs - nowMs)
      nowMs = doneMs
    }
  }
}
