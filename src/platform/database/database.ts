import type { Kysely, Transaction } from 'kysely'
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
   * Used for migrations. If a statement cannot have a lock within seconds, because another session holds it, everything
   * is rolled back and run again, so that sessions waiting behind that statement are not held up.
   */
  exclusively<Result>(work: (transaction: Transaction<Tables>) => Promise<Result>): Promise<Result>
  /** Finishes running queries, rejects later ones with UNAVAILABLE, and closes all connections. */
  close(): Promise<void>
}

/** Types of the values of a guarded insert. */
export type ValueType = 'text' | 'bigint' | 'bytes'

/** Names and types of values, in their order. */
export type ValueTypes = Readonly<Record<string, ValueType>>

/** Returns the SQL of a value by its name. */
type ValueOf = (name: string) => string

/**
 * Inserts groups of rows. Each group has a guard, a row of another table: a group is inserted only if an
 * update finds its guard in the state that the update asks for. So the condition checks for concurrent
 * changes, and the update records the insertion.
 *
 * The SQL is in parts because engines need it in different forms: SQLite is fastest with a statement per row, and
 * PostgreSQL with one for all.
 */
export type GuardedInsert = {
  guard: {
    table: string
    /** The values of an update. The first is the key of the guard, in the column of the same name. */
    values: ValueTypes
    /** The list after SET. Columns of the guard are named with their table. */
    set(value: ValueOf): string
    /** The state that the guard must have. */
    where(value: ValueOf): string
  }
  insert: {
    table: string
    /** The columns of a row. The first has the key of its guard. At most the last one has bytes. */
    columns: ValueTypes
  }
}

export type InsertedValue = null | number | string | Uint8Array

/** A guard's values, and the rows to insert, each in the order of the names. */
export type GuardedRows = { guard: readonly InsertedValue[]; rows: readonly (readonly InsertedValue[])[] }

/**
 * Inserts groups, each with another guard, in one transaction. Returns for each group, in their order, whether it was
 * inserted. Rejects if one cannot be, for example because of a unique key, and then none is.
 */
export type InsertGuarded = (groups: readonly GuardedRows[]) => Promise<boolean[]>
