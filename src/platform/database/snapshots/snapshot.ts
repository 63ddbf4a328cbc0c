import type { Readable } from 'node:stream'
import type { Kysely } from 'kysely'

/** A table at the time of a snapshot. */
export type SnapshotTable = { name: string; columns: string[]; rows: number }

/** A file that a snapshot consists of: a whole SQLite database, or a table of PostgreSQL in the text format of COPY. */
export type SnapshotFile = {
  /** Name for people, such as `tracks.sqlite`. */
  name: string
  /** The one table in it; undefined if it has all. */
  table: string | undefined
  /** Reads the file. To be read to its end before anything else of the snapshot is. */
  read(): Promise<Readable>
}

/** A service's database as it was at one moment, while others go on writing. */
export type DatabaseSnapshot = {
  name: string
  /** Names of the applied migrations, in order. */
  migrations: string[]
  /** All tables but that of the migrations. */
  tables: SnapshotTable[]
  files: SnapshotFile[]
  /** Reads the database as it was. Nothing may be written. */
  db: Kysely<unknown>
}

/** Name of the table that `migrate` keeps, which a restored database gets by migrating. */
export const MIGRATIONS_TABLE = 'migrations'
