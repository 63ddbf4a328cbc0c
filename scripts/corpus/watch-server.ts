import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import http from 'node:http'
import https from 'node:https'
import { setTimeout as wait } from 'node:timers/promises'
import { type Quantiles, quantilesOf } from './corpus-report.ts'

const PROBE_EVERY_MS = 50
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
      await wait(PROBE_EVERY_MS)
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

const READ_MEMORY_EVERY_MS = 250

/** Samples the resident set of a process until stopped, and returns the maximum. */
export function watchMemory(pid: number): { stop(): number } {
  let peakBytes = 0
  const look = () => {
    peakBytes = Math.max(peakBytes, peakMemory(pid))
  }
  look()
  const timer = setInterval(look, READ_MEMORY_EVERY_MS)
  return {
    stop() {
      look()
      clearInterval(timer)
      return peakBytes
    },
  }
}

/** Reads the peak that Linux records, or elsewhere the current use. Returns 0 for a process that has ended. */
function peakMemory(pid: number): number {
  try {
    if (process.platform === 'linux')
      return Number(/VmHWM:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) * 1024
    return Number(execFileSync('ps', ['-o', 'rss=', '-p', String(pid)], { encoding: 'utf8' })) * 1024
  } catch {
    return 0
  }
}
