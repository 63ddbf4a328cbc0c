import { readdirSync, readFileSync } from 'node:fs'

/** Memory and processor time of a process so far. */
export type Usage = {
  rssBytes: number
  /** Highest resident set since the process started. */
  peakRssBytes: number
  /** Processor time of all threads, ended ones included, to ten milliseconds. */
  processorMs: number
  /** Processor time of the thread that answers requests. */
  mainThreadMs: number
  threads: readonly ThreadUsage[]
}

/** Processor time of one thread. Node.js names its threads, such as `node-MainThread` and `libuv-worker`. */
export type ThreadUsage = { id: number; name: string; processorMs: number }

/** Reads the usage of a process from `/proc`. Only Linux has it. */
export function processUsage(pid: number): Usage | undefined {
  if (process.platform !== 'linux') return undefined
  const status = readFileSync(`/proc/${pid}/status`, 'utf8')
  const threads = readdirSync(`/proc/${pid}/task`).flatMap((id) => threadUsage(pid, Number(id)) ?? [])
  return {
    rssBytes: statusBytes(status, 'VmRSS'),
    peakRssBytes: statusBytes(status, 'VmHWM'),
    processorMs: processTimeMs(readFileSync(`/proc/${pid}/stat`, 'utf8')),
    mainThreadMs: threads.find(({ id }) => id === pid)!.processorMs,
    threads,
  }
}

/** Adds fields 14 and 15, user and system time in hundredths of a second. The name before them may contain spaces. */
function processTimeMs(stat: string): number {
  const fields = statFields(stat)
  return (Number(fields[11]) + Number(fields[12])) * 10
}

/** Returns the fields after the name, from the third on. */
function statFields(stat: string): string[] {
  return stat.slice(stat.lastIndexOf(')') + 2).split(' ')
}

function statusBytes(status: string, field: string): number {
  return Number(new RegExp(`^${field}:\\s+(\\d+) kB$`, 'm').exec(status)![1]) * 1024
}

/** Returns undefined for a thread that ended meanwhile. The first number of schedstat is nanoseconds on a processor. */
function threadUsage(pid: number, id: number): ThreadUsage | undefined {
  const folder = `/proc/${pid}/task/${id}`
  try {
    const name = readFileSync(`${folder}/comm`, 'utf8').trim()
    return { id, name, processorMs: Number(readFileSync(`${folder}/schedstat`, 'utf8').split(' ')[0]) / 1e6 }
  } catch {
    return undefined
  }
}

/**
 * Returns the processor time, in milliseconds, of a process and of all that it started, whether it ended or not.
 * Undefined where there is no `/proc`.
 */
export function processTreeMs(pid: number | 'self'): number | undefined {
  if (process.platform !== 'linux') return undefined
  try {
    const fields = statFields(readFileSync(`/proc/${pid}/stat`, 'utf8'))
    // Fields 14 to 17: user and system time of itself, and those of all children that it waited for.
    const ownMs = fields.slice(11, 15).reduce((sum, ticks) => sum + Number(ticks), 0) * 10
    const children = readdirSync(`/proc/${pid}/task`).flatMap((id) => startedBy(pid, id))
    return children.reduce((sum, child) => sum + (processTreeMs(child) ?? 0), ownMs)
  } catch {
    // It has ended meanwhile.
    return 0
  }
}

/** Returns the processes that a thread has started. One that has ended meanwhile has left them to another thread. */
function startedBy(pid: number | 'self', thread: string): number[] {
  try {
    return readFileSync(`/proc/${pid}/task/${thread}/children`, 'utf8').split(' ').filter(Boolean).map(Number)
  } catch {
    return []
  }
}
