import { on } from 'node:events'
import { Worker } from 'node:worker_threads'

/** A document to publish, as a PDF. */
export type MadePublication = { title: string; pdf: Uint8Array }

/**
 * Creates the demo's library, oldest first, in a separate thread: laying out a document takes half a second, during
 * which the server in this process could not answer.
 */
export async function* makeLibrary(signal: AbortSignal): AsyncGenerator<MadePublication> {
  const worker = new Worker(new URL('./library-worker.ts', import.meta.url), { execArgv: [], env: {} })
  try {
    for await (const [made] of on(worker, 'message', { signal, close: ['exit'] })) yield made as MadePublication
  } finally {
    await worker.terminate()
  }
}
