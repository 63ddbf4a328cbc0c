import http from 'node:http'
import https from 'node:https'
import { setTimeout as wait } from 'node:timers/promises'
import { type Quantiles, quantilesOf } from './quantiles.ts'

const EVERY_MS = 50
/** A longer response counts as this long. */
const LONGEST_MS = 30_000

/** Polls a server's health while it works. */
export type Probe = { stop(): Promise<Quantiles & { unanswered: number }> }

/** Sends one request at a time over a kept-alive connection, like the health check of a load balancer. */
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
