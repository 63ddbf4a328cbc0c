import { readdirSync, readFileSync } from 'node:fs'
import { setTimeout as wait } from 'node:timers/promises'

/** Processor time of the living threads of a process, and of all that it ever had, since they began; in nanoseconds. */
export type ProcessorTime = { byThread: Map<string, { kind: string; ns: number }>; totalNs: number }

/** A reading before the process began. */
export const NO_TIME: ProcessorTime = { byThread: new Map(), totalNs: 0 }

/** Processor time of a process during some work, in microseconds, by kind of thread. */
export type SpentTime = { totalUs: number; us(kind: ThreadKind): number; byKind: ReadonlyMap<string, number> }

/** `ended` are threads that no longer live, `other` are those without a kind of their own. */
export type ThreadKind =
  | 'main'
  | 'SQLite writer'
  | 'rendering'
  | 'computing'
  | 'libuv'
  | 'libvips'
  | 'V8'
  | 'other'
  | 'ended'

/** The total of a process is counted in ticks, of which a second has this many on Linux. */
const TICK_NS = 10_000_000
/**
 * Kinds by the name that the operating system has for a thread, of which it keeps 15 characters. Threads of a pool of
 * Piscina have no name of their own.
 */
const KINDS: readonly (readonly [name: RegExp, kind: ThreadKind])[] = [
  [/^SQLite writer/, 'SQLite writer'],
  [/^render/, 'rendering'],
  [/^WorkerThread/, 'computing'],
  [/^libuv-worker/, 'libuv'],
  [/^libvips/, 'libvips'],
  [/^(node-)?V8Worker|^DelayedTaskSche/, 'V8'],
]

/** Reads the processor time of all threads of a process. Works on Linux only. */
export function readProcessorTime(pid: number): ProcessorTime {
  const byThread = new Map<string, { kind: string; ns: number }>()
  for (const tid of readdirSync(`/proc/${pid}/task`)) {
    try {
      const folder = `/proc/${pid}/task/${tid}`
      const name = readFileSync(`${folder}/comm`, 'utf8').trim()
      const kind = tid === String(pid) ? 'main' : kindOfThread(name)
      byThread.set(tid, { kind, ns: parseSchedstat(readFileSync(`${folder}/schedstat`, 'utf8')) })
    } catch {
      // The thread has ended meanwhile.
    }
  }
  return { byThread, totalNs: parseTotalTicks(readFileSync(`/proc/${pid}/stat`, 'utf8')) * TICK_NS }
}

/** Returns the kind of a thread that is not the main one. */
export function kindOfThread(name: string): ThreadKind {
  return KINDS.find(([pattern]) => pattern.test(name))?.[1] ?? 'other'
}

/** Returns the time on a processor in nanoseconds, the first of the numbers in a `schedstat`. @throws on other text */
export function parseSchedstat(text: string): number {
  const found = /^(\d+) \d+ \d+\n?$/.exec(text)
  if (found === null) throw new Error(`Not a schedstat: ${text}`)
  return Number(found[1])
}

/**
 * Returns the ticks of all threads, also of ended ones: fields 14 and 15 of a
 * `stat`. The name before them may hold anything.
 */
export function parseTotalTicks(text: string): number {
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ')
  return Number(fields[11]) + Number(fields[12])
}

/** Returns the time spent between two readings. Threads that began in between count in full. */
export function timeBetween(before: ProcessorTime, after: ProcessorTime): SpentTime {
  const byKind = new Map<string, number>()
  for (const [tid, { kind, ns }] of after.byThread) {
    const us = (ns - (before.byThread.get(tid)?.ns ?? 0)) / 1000
    byKind.set(kind, (byKind.get(kind) ?? 0) + us)
  }
  const livingNs = [...byKind.values()].reduce((sum, us) => sum + us, 0) * 1000
  const endedNs = after.totalNs - before.totalNs - livingNs
  // A smaller difference is that of the clocks.
  if (endedNs > 2 * TICK_NS) byKind.set('ended', endedNs / 1000)
  const totalUs = [...byKind.values()].reduce((sum, us) => sum + us, 0)
  return { totalUs, us: (kind) => byKind.get(kind) ?? 0, byKind }
}

/**
 * The kernel updates the time of a thread when the thread stops or a tick passes, and a response may leave work behind.
 */
const SETTLE_MS = 15

/** Runs a request or a few, and returns the processor time that a process spent on them, also after its answer. */
export async function spentOn(pid: number, work: () => Promise<unknown>): Promise<SpentTime> {
  return await spentDuring(pid, async () => {
    await work()
    await wait(SETTLE_MS)
  })
}

/** Runs some work of the calling thread, and returns its processor time in milliseconds. */
export function ownProcessorMs(work: () => void): number {
  const read = () => {
    // A thread that sleeps has its time updated.
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 0.1)
    return parseSchedstat(readFileSync(`/proc/self/task/${process.pid}/schedstat`, 'utf8'))
  }
  const before = read()
  work()
  return (read() - before) / 1e6
}

/** Runs work and returns the processor time that a process spent meanwhile. */
export async function spentDuring(pid: number, work: () => Promise<unknown>): Promise<SpentTime> {
  const before = readProcessorTime(pid)
  await work()
  return timeBetween(before, readProcessorTime(pid))
}
