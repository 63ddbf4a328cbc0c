import { hasStatus } from '../api/api-error.ts'
import type { FileReplace, LibraryEntry } from '../api/publications.ts'
import { RejectedFile, rejectionReason } from './rejected-file.ts'
import { type Purpose, transfer } from './transfer.ts'

/** The state of an upload: `opening` while the server processes the complete file. */
export type UploadPhase = 'waiting' | 'sending' | 'opening' | 'done' | 'failed'

/** A file that is uploaded to a workspace. */
export type Upload = {
  id: number
  workspaceId: string
  file: File
  purpose: Purpose
  phase: UploadPhase
  sentBytes: number
  error: unknown
  /** The file as an earlier attempt uploaded it. */
  uploaded: FileReplace | undefined
  /** The resulting publication. */
  publication: LibraryEntry | undefined
}

/** More would not be faster on one line, and would leave the page no connections. */
const MAX_PARALLEL = 2

/** The uploads of this window, from all of its pages. */
export type UploadQueue = ReturnType<typeof createUploadQueue>

type Listener = () => void

/**
 * Creates a queue that uploads two files at a time. It lives as long as the window, so that navigating within the
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
      // The uploaded file may have been cleaned up in the meantime. The next attempt then starts over.
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
    /** Calls back for each file that has become a publication. */
    onDone(listener: (upload: Upload) => void): () => void {
      doneListeners.add(listener)
      return () => doneListeners.delete(listener)
    },
    /** Adds a file. A file that would be refused is not sent at all. */
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
    /** Cancels an upload in progress, and removes it from the queue. */
    remove,
    /** Cancels and removes everything, as at the end of a session. */
    clear(): void {
      for (const { id } of uploads) remove(id)
    },
  }
}

/** Checks whether leaving the page would interrupt the upload. */
export function isUnderWay({ phase }: Pick<Upload, 'phase'>): boolean {
  return phase === 'waiting' || phase === 'sending' || phase === 'opening'
}

/** The upload queue of this window. */
export const uploadQueue = createUploadQueue()
