import type { Kysely, Transaction } from 'kysely'
import type { GuardedInsert, InsertGuarded } from './guarded-insert.ts'
import type { Notices } from './notices.ts'

/** A service's own database, embedded or not. Queries go through `db`; no code depends on the engine. */
export type Database<Tables = unknown> = {
  db: Kysely<Tables>
  /** Display name of the engine: `SQLite`, `PostgreSQL`. No code may depend on it. */
  kind: string
  /**
   * Returns the shard that holds the rows of a spread table with this value; undefined if the tables are on one
   * machine. A transaction costs least if it writes to one shard. Shards can be split later, so this is a hint.
   */
  shardOf: ((table: string, value: string) => Promise<number>) | undefined
  /** Resolves if the database answers, else rejects with UNAVAILABLE. Cheap enough for a readiness probe. */
  check(): Promise<void>
  /**
   * Resolves if a change can be stored, else rejects with UNAVAILABLE, also if queries have met a damaged page or a
   * full disk. Changes no data. Costs a commit.
   */
  checkWrite(): Promise<void>
  /** Releases unused disk space and truncates logs. Safe at any time; to be called every few minutes when idle. */
  maintain(): Promise<void>
  /** Returns the size of tables, indexes and log on disk. */
  sizeBytes(): Promise<number>
  /** Estimates the rows of each table, by its name, without reading all of them. */
  estimateRows(): Promise<Map<string, number>>
  /** The file that the whole database is in, and how to copy it as it is now; undefined for a database server. */
  embedded: { file: string; copyTo(target: string): Promise<void> } | undefined
  /** Messages to the other instances; undefined if there is only this one. */
  notices: Notices | undefined
  /** Prepares a guarded insert, which needs a single exchange with the database and neither reads nor locks first. */
  guardedInsert(insert: GuardedInsert): InsertGuarded
  /**
   * Runs work in one transaction that no other process's `exclusively` on this database overlaps. It has no time limit.
   * Used for migrations. Where a statement cannot have a lock within seconds, because another session holds it,
   * everything is rolled back and run again, so that whoever waits behind that statement is not held up.
   */
  exclusively<Result>(work: (transaction: Transaction<Tables>) => Promise<Result>): Promise<Result>
  /** Finishes running queries, rejects later ones with UNAVAILABLE, and closes all connections. */
  close(): Promise<void>
}
