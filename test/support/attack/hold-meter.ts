import { writeFileSync } from 'node:fs'
import { isMainThread } from 'node:worker_threads'

// Loaded into the program under attack. Measures the longest time for which its main thread computed without returning
// to the event loop, in processor time: on a busy machine, delays would also include the time of other processes.

const EVERY_MS = 1

let longestMs = 0
let beforeMs = processorMs()

if (isMainThread) {
  setInterval(() => {
    const nowMs = processorMs()
    longestMs = Math.max(longestMs, nowMs - beforeMs)
    beforeMs = nowMs
  }, EVERY_MS).unref()
  process.on('SIGUSR2', () => {
    writeFileSync(process.env.HOLD_FILE!, String(longestMs))
    longestMs = 0
  })
}

function processorMs(): number {
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1000
}
