import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useSyncExternalStore } from 'react'
import { hasStatus } from '../api/api-error.ts'
import { getSessionQueryKey } from '../generated/@tanstack/react-query.gen.ts'

/** A file on its way to the server. It is `waiting` at first, and `failed` with an error. */
type Transfer = { id: number; file: File; phase: string; sentBytes: number; error: unknown }

/** More would not be faster on one line, and would leave the page no connections. */
const MAX_PARALLEL = 2

/**
 * Sends files, two at a time. It lives as long as the window, so that navigating within the dashboard interrupts
 * nothing.
 */
export abstract class TransferQueue<Item extends Transfer> {
  readonly #running = new Map<number, AbortController>()
  readonly #listeners = new Set<() => void>()
  readonly #doneListeners = new Set<(item: Item) => void>()
  #items: readonly Item[] = []
  #lastId = 0

  /** Sends a file, and returns how it ended. @throws the reason of the signal if it aborts, and any other failure */
  protected abstract send(item: Item, signal: AbortSignal): Promise<Partial<Item>>

  /** Returns the files. Bound to the queue, as is `subscribe`: React calls both as plain functions. */
  readonly list = (): readonly Item[] => this.#items

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  /** Calls back for each file that has arrived. */
  onDone(listener: (item: Item) => void): () => void {
    this.#doneListeners.add(listener)
    return () => this.#doneListeners.delete(listener)
  }

  retry(id: number): void {
    this.change(id, WAITING)
    this.#startWaiting()
  }

  /** Sends all files anew whose request got no answer, as after the network was away. */
  retryUnanswered(): void {
    for (const { id, phase, error } of this.#items) if (phase === 'failed' && hasStatus(error, 0)) this.retry(id)
  }

  /** Cancels a file on its way, and removes it from the queue. */
  remove(id: number): void {
    this.#running.get(id)?.abort()
    this.#set(this.#items.filter((item) => item.id !== id))
  }

  /** Cancels and removes everything, as at the end of a session. */
  clear(): void {
    for (const { id } of this.#items) this.remove(id)
  }

  /** Adds files, which are waiting unless they say otherwise. */
  protected append(files: readonly Omit<Item, 'id' | keyof typeof WAITING>[]): void {
    const added = files.map((file) => ({ ...WAITING, ...file, id: ++this.#lastId }) as unknown as Item)
    this.#set([...this.#items, ...added])
    this.#startWaiting()
  }

  protected change(id: number, part: object): void {
    this.#set(this.#items.map((item) => (item.id === id ? { ...item, ...part } : item)))
  }

  #startWaiting(): void {
    while (this.#running.size < MAX_PARALLEL) {
      const next = this.#items.find(({ phase }) => phase === 'waiting')
      if (next === undefined) return
      void this.#run(next)
    }
  }

  async #run(item: Item): Promise<void> {
    const { id } = item
    const controller = new AbortController()
    this.#running.set(id, controller)
    this.change(id, { phase: 'sending' })
    const outcome = await this.send(item, controller.signal).catch((error) => ({ phase: 'failed', error }))
    // Before anybody hears of the end: who retries a file at once starts another run.
    this.#running.delete(id)
    this.change(id, outcome)
    const ended = this.#items.find((other) => other.id === id)
    if (ended?.phase === 'done') tell(this.#doneListeners, ended)
    this.#startWaiting()
  }

  #set(items: readonly Item[]): void {
    this.#items = items
    tell(this.#listeners, undefined)
  }
}

const WAITING = { phase: 'waiting', sentBytes: 0, error: undefined } as const

/** Calls listeners. One that fails is reported, and changes nothing for the files and the other listeners. */
function tell<Event>(listeners: Iterable<(event: Event) => void>, event: Event): void {
  for (const listener of listeners) {
    try {
      listener(event)
    } catch (error) {
      reportError(error)
    }
  }
}

/** Checks whether leaving the page would interrupt a file. */
export function isUnderWay({ phase }: Transfer): boolean {
  return phase !== 'done' && phase !== 'known' && phase !== 'failed'
}

/** Returns the progress of several files in bytes. A file that is over counts as a whole. */
export function percentOf(items: readonly Transfer[]): number {
  const bytes = items.reduce((sum, { file }) => sum + file.size, 0)
  const behind = items.reduce((sum, item) => sum + (isUnderWay(item) ? item.sentBytes : item.file.size), 0)
  return bytes === 0 ? 100 : Math.floor((100 * Math.min(behind, bytes)) / bytes)
}

/** Returns the files of a queue. */
export function useTransfers<Item extends Transfer>({ subscribe, list }: TransferQueue<Item>): readonly Item[] {
  return useSyncExternalStore(subscribe, list)
}

/**
 * Notices the end of the session by files that are refused, goes on once the browser is online again, and warns before
 * leaving the page interrupts a file.
 */
export function useTransferEffects<Item extends Transfer>(queue: TransferQueue<Item>): void {
  const client = useQueryClient()
  const items = useTransfers(queue)
  const isBusy = items.some(isUnderWay)
  const isSignedOut = items.some(({ error }) => hasStatus(error, 401))

  // After signing in again, the operator finds the files here and can retry.
  useEffect(() => {
    if (isSignedOut) void client.invalidateQueries({ queryKey: getSessionQueryKey() })
  }, [client, isSignedOut])

  useEffect(() => {
    const goOn = () => queue.retryUnanswered()
    window.addEventListener('online', goOn)
    return () => window.removeEventListener('online', goOn)
  }, [queue])

  useEffect(() => {
    if (!isBusy) return
    const warn = (event: BeforeUnloadEvent) => event.preventDefault()
    window.addEventListener('beforeunload', warn)
    return () => window.removeEventListener('beforeunload', warn)
  }, [isBusy])
}
