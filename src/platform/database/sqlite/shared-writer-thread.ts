import { MessageChannel, type MessagePort, Worker } from 'node:worker_threads'
import type { OpenCommand } from './sqlite-messages.ts'

/** Memory limit of the thread's JavaScript: commands of one turn and their replies take some megabytes. */
const MAX_HEAP_MB = 1_024

/** The running threads: one, unless the process has opened a file twice. */
const threads = new Set<SharedWriterThread>()

/**
 * A thread that holds the writing connections of all files of the process. It spends nearly all of its time waiting for
 * the disk, and each further thread would take 10 MiB.
 */
export class SharedWriterThread {
  readonly #worker: Worker
  /** The open files, and what to call when the thread has ended while they were open. */
  readonly #files = new Map<string, (cause: unknown) => void>()
  /** The files for which the process waits. */
  readonly #held = new Set<string>()

  /**
   * Returns the thread for a file. Two connections to one file get two threads: in one, the second would wait for the
   * lock of the first, which could never release it.
   */
  static forFile(file: string): SharedWriterThread {
    return [...threads].find((thread) => !thread.#files.has(file)) ?? new SharedWriterThread()
  }

  private constructor() {
    threads.add(this)
    this.#worker = new Worker(new URL('./sqlite-writer.ts', import.meta.url), {
      // The operating system's name for it, by which its processor time can be told from that of other threads.
      name: 'SQLite writer',
      // Options of the process, such as `--input-type`, may not apply to a thread.
      execArgv: [],
      env: {},
      resourceLimits: { maxOldGenerationSizeMb: MAX_HEAP_MB },
    })
    this.#worker.unref()
    this.#worker.on('error', (error) => this.#end(error))
    this.#worker.on('exit', () => this.#end(undefined))
  }

  /** Opens a file. Its port gives a greeting and then replies. Calls `onEnd` if the thread ends before `leave`. */
  open(file: string, onEnd: (cause: unknown) => void): MessagePort {
    const { port1, port2 } = new MessageChannel()
    this.#files.set(file, onEnd)
    this.#worker.postMessage({ file, port: port2 } satisfies OpenCommand, [port2])
    return port1
  }

  /** Forgets a file whose connection is closed. The thread ends with its last file. */
  async leave(file: string): Promise<void> {
    this.#files.delete(file)
    this.release(file)
    if (this.#files.size > 0) return
    threads.delete(this)
    await this.#worker.terminate()
  }

  /** Keeps the process alive until `release` is called for the same file. */
  hold(file: string): void {
    this.#held.add(file)
    this.#worker.ref()
  }

  release(file: string): void {
    this.#held.delete(file)
    if (this.#held.size === 0) this.#worker.unref()
  }

  /** Ends the thread at once, with every transaction in it. */
  async terminate(): Promise<void> {
    await this.#worker.terminate()
  }

  #end(cause: unknown): void {
    threads.delete(this)
    for (const onEnd of [...this.#files.values()]) onEnd(cause)
    this.#files.clear()
  }
}
