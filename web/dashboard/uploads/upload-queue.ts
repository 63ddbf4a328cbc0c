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

type Listener = () => void
type DoneListener = (upload: Upload) => void

/**
 * Uploads files, two at a time. It lives as long as the window, so that navigating within the dashboard interrupts
 * nothing.
 */
export class UploadQueue {
  readonly #send: typeof transfer
  readonly #running = new Map<number, AbortController>()
  readonly #listeners = new Set<Listener>()
  readonly #doneListeners = new Set<DoneListener>()
  #uploads: readonly Upload[] = []
  #lastId = 0

  constructor(send: typeof transfer = transfer) {
    this.#send = send
  }

  /** Returns the uploads. Bound to the queue, as is `subscribe`: React calls both as plain functions. */
  readonly list = (): readonly Upload[] => this.#uploads

  readonly subscribe = (listener: Listener): (() => void) => {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  /** Calls back for each file that has become a publication. */
  onDone(listener: DoneListener): () => void {
    this.#doneListeners.add(listener)
    return () => this.#doneListeners.delete(listener)
  }

  /** Adds a file. A file that would be refused is not sent at all. */
  add(workspaceId: string, file: File, purpose: Purpose, limitBytes: number): void {
    const unfit = rejectionReason(file, limitBytes)
    this.#lastId += 1
    const upload: Upload = {
      id: this.#lastId,
      workspaceId,
      file,
      purpose,
      phase: unfit === undefined ? 'waiting' : 'failed',
      sentBytes: 0,
      error: unfit === undefined ? undefined : new RejectedFile(unfit, limitBytes),
      uploaded: undefined,
      publication: undefined,
    }
    this.#set([...this.#uploads, upload])
    this.#startWaiting()
  }

  retry(id: number): void {
    this.#change(id, { phase: 'waiting', error: undefined, sentBytes: 0 })
    this.#startWaiting()
  }

  /** Cancels an upload in progress, and removes it from the queue. */
  remove(id: number): void {
    this.#running.get(id)?.abort()
    this.#set(this.#uploads.filter((upload) => upload.id !== id))
  }

  /** Cancels and removes everything, as at the end of a session. */
  clear(): void {
    for (const { id } of this.#uploads) this.remove(id)
  }

  #startWaiting(): void {
    while (this.#running.size < MAX_PARALLEL) {
      const next = this.#uploads.find(({ phase }) => phase === 'waiting')
      if (next === undefined) return
      void this.#run(next)
    }
  }

  async #run(upload: Upload): Promise<void> {
    const { id } = upload
    const controller = new AbortController()
    this.#running.set(id, controller)
    this.#change(id, { phase: upload.uploaded === undefined ? 'sending' : 'opening' })
    const outcome = await this.#outcomeOf(upload, controller.signal)
    // Before anybody hears of the end: who retries a file at once starts another run.
    this.#running.delete(id)
    this.#change(id, outcome)
    const ended = this.#uploads.find((other) => other.id === id)
    if (ended?.phase === 'done') tell(this.#doneListeners, ended)
    this.#startWaiting()
  }

  async #outcomeOf(upload: Upload, signal: AbortSignal): Promise<Partial<Upload>> {
    const { id } = upload
    try {
      const publication = await this.#send(upload, {
        signal,
        onSent: (sentBytes) => this.#change(id, { sentBytes }),
        onUploaded: (uploaded) => this.#change(id, { uploaded, phase: 'opening', sentBytes: upload.file.size }),
      })
      return { phase: 'done', publication }
    } catch (error) {
      // The uploaded file may have been cleaned up in the meantime. The next attempt then starts over.
      return { phase: 'failed', error, sentBytes: 0, ...(hasStatus(error, 404) && { uploaded: undefined }) }
    }
  }

  #change(id: number, part: Partial<Upload>): void {
    this.#set(this.#uploads.map((upload) => (upload.id === id ? { ...upload, ...part } : upload)))
  }

  #set(uploads: readonly Upload[]): void {
    this.#uploads = uploads
    tell(this.#listeners, undefined)
  }
}

/** Checks whether leaving the page would interrupt the upload. */
export function isUnderWay({ phase }: Pick<Upload, 'phase'>): boolean {
  return phase === 'waiting' || phase === 'sending' || phase === 'opening'
}

/** Calls listeners. One that fails is reported, and changes nothing for the uploads and the other listeners. */
function tell<Event>(listeners: Iterable<(event: Event) => void>, event: Event): void {
  for (const listener of listeners) {
    try {
      listener(event)
    } catch (error) {
      reportError(error)
    }
  }
}

/** The uploads of this window, from all of its pages. */
export const uploadQueue = new UploadQueue()
