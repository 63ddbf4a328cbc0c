import { readFileSync } from 'node:fs'
import { availableParallelism, totalmem } from 'node:os'
import { fileSize } from '../basics/text.ts'
import { type Finding, findingsOf } from './finding.ts'

const { ok, warning } = findingsOf('machine')

/** Threads that Node.js has for files and images, unless UV_THREADPOOL_SIZE is set. */
const USUAL_THREADS = 4
/** The server at rest takes some 150 MB; a large upload or a document with many pages several hundred. */
const LEAST_MEMORY_BYTES = 900_000_000
/** Files besides connections: databases, images, documents. */
const FILES_BESIDES = 1_000

/** The machine as a check sees it. */
export type Machine = {
  cores: number
  memoryBytes: number
  threads: number
  maxOpenFiles: number | undefined
  node: string
}

/** Reads the machine, or the limits of the container. `threadPoolSize` is UV_THREADPOOL_SIZE. */
export function readMachine(threadPoolSize: string | undefined): Machine {
  const constrained = process.constrainedMemory()
  return {
    cores: availableParallelism(),
    // Without a limit, some systems give a number beyond any memory.
    memoryBytes: constrained > 0 ? Math.min(constrained, totalmem()) : totalmem(),
    threads: Number(threadPoolSize) || USUAL_THREADS,
    maxOpenFiles: readMaxOpenFiles(),
    node: process.version,
  }
}

function readMaxOpenFiles(): number | undefined {
  try {
    const found = /^Max open files\s+(\d+)/m.exec(readFileSync('/proc/self/limits', 'utf8'))
    return found === null ? undefined : Number(found[1])
  } catch {
    return undefined
  }
}

/** Checks memory, cores and limits of the process. `liveStreams` connections may be open for long. */
export function checkMachine(
  { cores, memoryBytes, threads, maxOpenFiles, node }: Machine,
  liveStreams: number,
): Finding[] {
  const neededFiles = 2 * liveStreams + FILES_BESIDES
  return [
    ok('Node.js', `${node} on ${cores} cores.`),
    memoryBytes >= LEAST_MEMORY_BYTES
      ? ok('memory', `${fileSize(memoryBytes, 'en')}.`)
      : warning(
          'memory',
          `${fileSize(memoryBytes, 'en')}: large uploads and documents may end the process.`,
          'Give the server 1 GB or more.',
        ),
    cores <= threads
      ? ok('thread pool', `${threads} threads for files and images.`)
      : warning(
          'thread pool',
          `${threads} threads for files and images on ${cores} cores; the others stay idle while pages are rendered.`,
          `Set UV_THREADPOOL_SIZE=${cores}.`,
        ),
    maxOpenFiles === undefined || maxOpenFiles >= neededFiles
      ? ok('open files', maxOpenFiles === undefined ? 'No limit is known.' : `At most ${maxOpenFiles}.`)
      : warning(
          'open files',
          `At most ${maxOpenFiles}, while LIVE_STREAMS=${liveStreams} allows ${2 * liveStreams} connections.`,
          `Raise the limit (LimitNOFILE=, ulimit -n) to ${neededFiles}, or lower LIVE_STREAMS.`,
        ),
  ]
}
