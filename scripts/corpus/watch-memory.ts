import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'

const EVERY_MS = 250

/** Samples the resident set of a process until stopped, and returns the maximum. */
export function watchMemory(pid: number): { stop(): number } {
  let peakBytes = 0
  const look = () => {
    peakBytes = Math.max(peakBytes, peakMemory(pid))
  }
  look()
  const timer = setInterval(look, EVERY_MS)
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
