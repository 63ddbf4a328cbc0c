import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'

const EVERY_MS = 250

/** Looks at the memory of a process that is in use (resident set) until it is stopped, and gives the most there was. */
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

/** The peak that Linux keeps itself, elsewhere what is in use now; 0 for a process that has ended. */
function peakMemory(pid: number): number {
  try {
    if (process.platform === 'linux')
      return Number(/VmHWM:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) * 1024
    return Number(execFileSync('ps', ['-o', 'rss=', '-p', String(pid)], { encoding: 'utf8' })) * 1024
  } catch {
    return 0
  }
}
