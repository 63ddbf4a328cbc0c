import { ApiError, hasStatus } from '../api/api-error.ts'
import { type ImportedTrack, importFile } from '../api/imports.ts'

/** The state of an import: `reading` while the server reads the complete file, `known` if it was imported before. */
type ImportPhase = 'waiting' | 'sending' | 'reading' | 'done' | 'known' | 'failed'

/** A file that is imported into an event. */
export type FileImport = {
  id: number
  eventId: string
  file: File
  phase: ImportPhase
  sentBytes: number
  error: unknown
  /** The tracks made of the file. */
  tracks: readonly ImportedTrack[]
  /** The track that the file made before. */
  knownTrackId: string | undefined
}

/** More would not be faster, because the server reads files one after the other. */
const MAX_PARALLEL = 2

type Listener = () => void

/**
 * Imports files, two at a time. It lives as long as the window, so that navigating
 * within the dashboard interrupts nothing.
 */
export class ImportQueue {
  readonly #send: typeof importFile
  readonly #running = new Map<number, AbortController>()
  readonly #listeners = new Set<Listener>()
  #imports: readonly FileImport[] = []
  #lastId = 0

  constructor(send: typeof importFile = importFile) {
    this.#send = send
  }

  /** Returns the imports. Bound to the queue, as is `subscribe`: React calls both as plain functions. */
  readonly list = (): readonly FileImport[] => this.#imports

  readonly subscribe = (listener: Listener): (() => void) => {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  add(eventId: string, files: readonly File[]): void {
    const added = files.map((file): FileImport => {
      this.#lastId += 1
      const state = { phase: 'waiting', sentBytes: 0, error: undefined, tracks: [], knownTrackId: undefined } as const
      return { id: this.#lastId, eventId, file, ...state }
    })
    this.#set([...this.#imports, ...added])
    this.#startWaiting()
  }

  retry(id: number): void {
    this.#change(id, { phase: 'waiting', error: undefined, sentBytes: 0 })
    this.#startWaiting()
  }

  /** Cancels an import in progress, and removes it from the queue. */
  remove(id: number): void {
    this.#set(this.#imports.filter((other) => other.id !== id))
    this.#running.get(id)?.abort()
  }

  /** Cancels and removes everything, as at the end of a session. */
  clear(): void {
    for (const { id } of this.#imports) this.remove(id)
  }

  #startWaiting(): void {
    for (const waiting of this.#imports) {
      if (this.#running.size >= MAX_PARALLEL) return
      if (waiting.phase === 'waiting') void this.#run(waiting)
    }
  }

  async #run({ id, eventId, file }: FileImport): Promise<void> {
    const controller = new AbortController()
    this.#running.set(id, controller)
    this.#change(id, { phase: 'sending' })
    try {
      const onSent = (sentBytes: number) =>
        this.#change(id, { sentBytes, phase: sentBytes < file.size ? 'sending' : 'reading' })
      const { tracks } = await this.#send(eventId, file, { signal: controller.signal, onSent })
      this.#change(id, { phase: 'done', tracks })
    } catch (error) {
      this.#change(
        id,
        isKnown(error) ? { phase: 'known', knownTrackId: knownTrackId(error) } : { phase: 'failed', error },
      )
    }
    this.#running.delete(id)
    this.#startWaiting()
  }

  #change(id: number, part: Partial<FileImport>): void {
    this.#set(this.#imports.map((other) => (other.id === id ? { ...other, ...part } : other)))
  }

  #set(imports: readonly FileImport[]): void {
    this.#imports = imports
    for (const listener of this.#listeners) listener()
  }
}

/** Checks whether leaving the page would interrupt the import. */
export function isUnderWay({ phase }: Pick<FileImport, 'phase'>): boolean {
  return phase === 'waiting' || phase === 'sending' || phase === 'reading'
}

/** The imports of this window, into all events. */
export const importQueue = new ImportQueue()

function isKnown(error: unknown): boolean {
  return hasStatus(error, 409)
}

function knownTrackId(error: unknown): string | undefined {
  return error instanceof ApiError ? error.problem?.track_id : undefined
}
