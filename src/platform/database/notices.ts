import type { QueryExecutorProvider } from 'kysely'

/**
 * Called with each notice's payload, and with undefined whenever listening begins, at first and after a lost connection:
 * earlier notices may have been missed. Whoever keeps a cache by notices drops all of it then.
 */
export type NoticeListener = (payload: string | undefined) => void

/** Short messages to every instance on the same database, this one included. Delivered at most once, in order. */
export type Notices = {
  /**
   * Sends a notice of at most 7,000 bytes. Inside a transaction (`within`) it goes out with the commit, or never.
   * Rejects with UNAVAILABLE when the database cannot be reached.
   */
  publish(topic: string, payload: string, within?: QueryExecutorProvider): Promise<void>
  /** Listens, as soon as there is a connection. @returns a function that ends it. */
  subscribe(topic: string, listener: NoticeListener): () => void
  /** Whether notices reach every listener at this moment. While they do not, a cache kept by them must not be trusted. */
  isLive(): boolean
}
