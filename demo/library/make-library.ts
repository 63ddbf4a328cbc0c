import { on } from 'node:events'
import { Worker } from 'node:worker_threads'

/** A publication to be, with its PDF. */
export type MadePublication = { title: string; pdf: Uint8Array }

/**
 * Makes the demo's library, the oldest first, in a thread of its own: laying a document out takes half a second, for
 * which the server in this process would answer nobody.
 */
export async function* makeLibrary(signal: AbortSignal): AsyncGenerator<MadePublication> {
  const worker = new Worker(new URL('./library-worker.ts', import.meta.url), { execArgv: [] })
  try {
    for await (const [made] of on(worker, 'message', { signal, close: ['exit'] })) yield made as MadePublication
  } finally {
    await worker.terminate()
  }
}
