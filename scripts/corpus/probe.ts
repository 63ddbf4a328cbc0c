import http from 'node:http'
import https from 'node:https'
import { setTimeout as wait } from 'node:timers/promises'
import { type Quantiles, quantilesOf } from './quantiles.ts'

const EVERY_MS = 50
/** An answer that takes longer counts as having taken this long. */
const LONGEST_MS = 30_000

/** Asks a server how it is, over and over, while it works. */
export type Probe = { stop(): Promise<Quantiles & { unanswered: number }> }

/** One request at a time over a kept connection, as a check of a load balancer is. */
export function startProbe(server: string): Probe {
  const { Agent, get } = server.startsWith('https:') ? https : http
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  const timesMs: number[] = []
  let unanswered = 0
  let isStopped = false

  const ask = () =>
    new Promise<void>((resolve) => {
      const startedMs = performance.now()
      const request = get(`${server}/healthz`, { agent, timeout: LONGEST_MS }, (response) => {
        response.resume().on('close', () => {
          timesMs.push(performance.now() - startedMs)
          if (response.statusCode !== 200) unanswered++
          resolve()
        })
      })
      request.on('timeout', () => request.destroy())
      request.on('error', () => {
        timesMs.push(performance.now() - startedMs)
        unanswered++
        resolve()
      })
    })

  const run = async () => {
    while (!isStopped) {
      await ask()
      await wait(EVERY_MS)
    }
  }
  const running = run()
  return {
    async stop() {
      isStopped = true
      await running
      agent.destroy()
      return { ...quantilesOf(timesMs), unanswered }
    },
  }
}
