import { hasStatus } from '../api/api-error.ts'
import type { LibraryEntry, UploadReference } from '../api/publications.ts'
import { RejectedFile, rejectionReason } from './rejected-file.ts'
import { type Purpose, transfer } from './transfer.ts'

/** How a file stands: `opening` is what the server does once it has all of it. */
export type UploadPhase = 'waiting' | 'sending' | 'opening' | 'done' | 'failed'

/** A file on its way to a workspace. */
export type Upload = {
  id: number
  workspaceId: string
  file: File
  purpose: Purpose
  phase: UploadPhase
  sentBytes: number
  error: unknown
  /** What an earlier try has uploaded already. */
  uploaded: UploadReference | undefined
  /** What became of it. */
  publication: LibraryEntry | undefined
}

/** More at once would not be faster on one line, and would leave the page no connection. */
const MAX_PARALLEL = 2

/** The files that are uploaded from this window, from every page of it. */
export type UploadQueue = ReturnType<typeof createUploadQueue>

type Listener = () => void

/**
 * Sends files one after the other, two at a time. It lives as long as the window, so that going to another page of the
 * dashboard interrupts nothing.
 */
export function createUploadQueue(send: typeof transfer = transfer) {
  let uploads: readonly Upload[] = []
  let lastId = 0
  const running = new Map<number, AbortController>()
  const listeners = new Set<Listener>()
  const doneListeners = new Set<(upload: Upload) => void>()

  function set(next: readonly Upload[]): void {
    uploads = next
    for (const listener of listeners) listener()
  }

  function change(id: number, part: Partial<Upload>): void {
    set(uploads.map((upload) => (upload.id === id ? { ...upload, ...part } : upload)))
  }

  function start(): void {
    for (const upload of uploads) {
      if (running.size >= MAX_PARALLEL) return
      if (upload.phase === 'waiting') void run(upload)
    }
  }

  async function run(upload: Upload): Promise<void> {
    const { id } = upload
    const controller = new AbortController()
    running.set(id, controller)
    change(id, { phase: upload.uploaded === undefined ? 'sending' : 'opening' })
    try {
      const publication = await send(upload, {
        signal: controller.signal,
        onSent: (sentBytes) => change(id, { sentBytes }),
        onUploaded: (uploaded) => change(id, { uploaded, phase: 'opening', sentBytes: upload.file.size }),
      })
      change(id, { phase: 'done', publication })
      const done = uploads.find((other) => other.id === id)
      if (done !== undefined) for (const listener of doneListeners) listener(done)
    } catch (error) {
      // What was uploaded may have been swept away meanwhile; then the next try begins anew.
      change(id, { phase: 'failed', error, sentBytes: 0, ...(hasStatus(error, 404) && { uploaded: undefined }) })
    }
    running.delete(id)
    start()
  }

  function remove(id: number): void {
    running.get(id)?.abort()
    set(uploads.filter((upload) => upload.id !== id))
  }

  return {
    list: () => uploads,
    subscribe(listener: Listener): () => void {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    /** Tells of each file that has become a publication. */
    onDone(listener: (upload: Upload) => void): () => void {
      doneListeners.add(listener)
      return () => doneListeners.delete(listener)
    },
    /** Adds a file; one that is seen to be of no use is not sent at all. */
    add(workspaceId: string, file: File, purpose: Purpose, limitBytes: number): void {
      const unfit = rejectionReason(file, limitBytes)
      lastId += 1
      const upload: Upload = {
        id: lastId,
        workspaceId,
        file,
        purpose,
        phase: unfit === undefined ? 'waiting' : 'failed',
        sentBytes: 0,
        error: unfit === undefined ? undefined : new RejectedFile(unfit, limitBytes),
        uploaded: undefined,
        publication: undefined,
      }
      set([...uploads, upload])
      start()
    },
    retry(id: number): void {
      change(id, { phase: 'waiting', error: undefined, sentBytes: 0 })
      start()
    },
    /** Stops a file that is on its way, and forgets one that is not. */
    remove,
    /** Stops everything and forgets it, as at the end of a session. */
    clear(): void {
      for (const { id } of uploads) remove(id)
    },
  }
}

/** Whether leaving the page would break this off. */
export function isUnderWay({ phase }: Pick<Upload, 'phase'>): boolean {
  return phase === 'waiting' || phase === 'sending' || phase === 'opening'
}

/** What this window uploads. */
export const uploadQueue = createUploadQueue()
