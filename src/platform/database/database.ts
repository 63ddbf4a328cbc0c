import type { CompiledQuery, Kysely, Transaction } from 'kysely'
import type { Notices } from './notices.ts'

/** One of several changes that are made together, and how many rows it has to change. */
export type Change = { query: CompiledQuery; rows: number }

/** A service's own database, embedded or not: queries go through `db`, and nothing else depends on which it is. */
export type Database<Tables = unknown> = {
  db: Kysely<Tables>
  /** The engine's name, for people to read: `SQLite`, `PostgreSQL`. No code may depend on it. */
  kind: string
  /** Resolves when the database answers; rejects with UNAVAILABLE. Cheap enough for a readiness probe. */
  check(): Promise<void>
  /** Gives unused room back and keeps logs short. For a quiet moment, every few minutes; safe at any time. */
  maintain(): Promise<void>
  /** What the tables and indexes (and the log) take on disk. */
  sizeBytes(): Promise<number>
  /** Messages to every other instance; undefined where there is only this one. */
  notices: Notices | undefined
  /**
   * Makes several changes in one transaction, sent at once instead of each after the answer to the one before. Where
   * one of them would not change as many rows as it has to, none is made: a condition in it is then a check that
   * nobody else was faster. Gives whether they were made.
   */
  changeTogether(changes: readonly Change[]): Promise<boolean>
  /**
   * Runs work in one transaction that no other process's `exclusively` on this database overlaps, without time limits.
   * For migrations.
   */
  exclusively<Result>(work: (transaction: Transaction<Tables>) => Promise<Result>): Promise<Result>
  /** Finishes what is under way, refuses what comes later with UNAVAILABLE, and lets go of everything. */
  close(): Promise<void>
}
