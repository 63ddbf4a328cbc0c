import type { QueryExecutorProvider } from 'kysely'
import type { LRUCache } from 'lru-cache'
import { boundedCache } from '../basics/bounded-cache.ts'

/**
 * Called with the payload of each notice. Called with undefined when listening starts, also after a lost connection:
 * earlier notices may be missing, so a cache that depends on notices must be emptied.
 */
export type NoticeListener = (payload: string | undefined) => void

/** Short messages to every instance on the same database, including this one. Delivered at most once, in order. */
export type Notices = {
  /**
   * Sends a notice of at most 7,000 bytes. Within a transaction (`within`), it is sent on commit and dropped on
   * rollback. Rejects with UNAVAILABLE if the database cannot be reached.
   */
  publish(topic: string, payload: string, within?: QueryExecutorProvider): Promise<void>
  /** Starts to listen, as soon as there is a connection. @returns a function that stops it */
  subscribe(topic: string, listener: NoticeListener): () => void
  /** Tells whether notices arrive right now. While they do not, a cache that depends on them must not be used. */
  isLive(): boolean
}

type Entry<Value> = { answer: Promise<Value | undefined>; value: Value | undefined; untilMs: number }

type NotifiedCacheOptions<Value> = {
  find: (key: string) => Promise<Value | undefined>
  /** Tells whether an answer may be kept. Answers of undefined never are. */
  isKept?: (value: Value) => boolean
  /** Topic of the notices that empty the cache on every instance. */
  topic: string
  /** Undefined where only this process changes the database. */
  notices: Notices | undefined
  nowMs: () => number
  lifetimeMs: number
  maxEntries: number
}

/**
 * Remembers answers of the database for a short time, and forgets all of them when a notice arrives. Changes are rare,
 * and asking again costs one query each. Requests for the same key share one query. Nothing is answered from memory
 * while notices do not arrive, nor `lifetimeMs` after the query began, so that a change that was missed ends, too.
 */
export class NotifiedCache<Value extends object> {
  readonly #options: NotifiedCacheOptions<Value>
  readonly #entries: LRUCache<string, Entry<Value>>
  readonly #unsubscribe: (() => void) | undefined

  constructor(options: NotifiedCacheOptions<Value>) {
    this.#options = options
    this.#entries = boundedCache(options.maxEntries)
    this.#unsubscribe = options.notices?.subscribe(options.topic, () => this.clear())
  }

  /** Returns the value in memory; undefined where the database has to be asked. */
  peek(key: string): Value | undefined {
    return this.#fresh(key)?.value
  }

  /** Answers from memory, else from the database. */
  find(key: string): Promise<Value | undefined> {
    return (this.#fresh(key) ?? this.#ask(key)).answer
  }

  /** Answers from the database alone, for a caller to whom the value in memory looks out of date. */
  refresh(key: string): Promise<Value | undefined> {
    const fresh = this.#fresh(key)
    const isUnderWay = fresh !== undefined && fresh.value === undefined
    return (isUnderWay ? fresh : this.#ask(key)).answer
  }

  clear(): void {
    this.#entries.clear()
  }

  /** Empties the cache here, and on every other instance as soon as the notice arrives. */
  async announceChange(payload: string): Promise<void> {
    this.clear()
    await this.#options.notices?.publish(this.#options.topic, payload)
  }

  close(): void {
    this.#unsubscribe?.()
  }

  #fresh(key: string): Entry<Value> | undefined {
    const { notices, nowMs } = this.#options
    const entry = this.#entries.get(key)
    return entry !== undefined && entry.untilMs > nowMs() && notices?.isLive() !== false ? entry : undefined
  }

  #ask(key: string): Entry<Value> {
    const { find, isKept, nowMs, lifetimeMs } = this.#options
    // Counted from before the query: its answer may lack changes made while it runs.
    const untilMs = nowMs() + lifetimeMs
    const entry: Entry<Value> = { answer: find(key), value: undefined, untilMs }
    this.#entries.set(key, entry)
    entry.answer.then(
      (value) => {
        if (value !== undefined && isKept?.(value) !== false) entry.value = value
        else this.#drop(key, entry)
      },
      () => this.#drop(key, entry),
    )
    return entry
  }

  #drop(key: string, entry: Entry<Value>): void {
    if (this.#entries.peek(key) === entry) this.#entries.delete(key)
  }
}
