import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'

const SAMPLE_EVERY_MS = 50

/** Returns the resident set of a process, in bytes. */
export function memoryBytes(pid: number): number {
  try {
    return Number(/VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) * 1024
  } catch {
    return Number(execFileSync('ps', ['-o', 'rss=', '-p', String(pid)], { encoding: 'utf8' })) * 1024
  }
}

/** Runs work and returns the process's highest memory use meanwhile. */
export async function peakMemory(pid: number, work: () => Promise<unknown>): Promise<number> {
  let peakBytes = memoryBytes(pid)
  const timer = setInterval(() => {
    peakBytes = Math.max(peakBytes, memoryBytes(pid))
  }, SAMPLE_EVERY_MS)
  await work().finally(() => clearInterval(timer))
  return Math.max(peakBytes, memoryBytes(pid))
}
