import type { QueryExecutorProvider } from 'kysely'

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
