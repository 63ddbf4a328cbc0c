import { closeSync, fdatasyncSync, openSync, unlinkSync, writeSync } from 'node:fs'
import { availableParallelism, cpus, loadavg, totalmem } from 'node:os'
import { join } from 'node:path'
import { median } from '../report/figure.ts'

const SYNCS = 200

/** Describes the machine in one sentence each: processor, memory, disk, versions. Names no host. */
export function describeMachine(folder: string): string[] {
  return [
    `${availableParallelism()} cores of ${cpus()[0].model.trim()}, ${Math.round(totalmem() / 2 ** 30)} GiB of memory, ${process.platform}`,
    `Node.js ${process.version}, SQLite ${process.versions.sqlite}`,
    `load average before the run: ${loadavg()[0].toFixed(1)}; results from a busy machine mean little`,
    `disk: ${syncMs(folder).toFixed(2)} ms for 4 KiB written and synced (fdatasync, median of ${SYNCS})`,
  ]
}

/** Measures the least that a commit costs. A disk that syncs within a few microseconds has a cache of its own. */
function syncMs(folder: string): number {
  const file = join(folder, 'sync')
  const descriptor = openSync(file, 'w')
  const block = Buffer.alloc(4096)
  const times = Array.from({ length: SYNCS }, (_, i) => {
    const startMs = performance.now()
    writeSync(descriptor, block, 0, block.length, (i % 50) * block.length)
    fdatasyncSync(descriptor)
    return performance.now() - startMs
  })
  closeSync(descriptor)
  unlinkSync(file)
  return median(times)
}
