import type { Kysely } from 'kysely'
import type { BlobStore } from '../blobs/blob-store.ts'
import type { Migration } from '../database/migrate.ts'

/** A stored file that a row of a database names, with what the row says of it. */
export type NamedBlob = { key: string; size: number; sha256: string | undefined }

/** The data of a service, and how to find damage in it. This is all that backups know of the service. */
export type KeptData = {
  /** Name of its SQLite file and of its schema. */
  name: string
  migrations: Record<string, Migration>
  /** Tables that a restored installation begins without, such as the sessions of browsers. */
  endedByRestore: readonly string[]
  /** Reads the names of stored files, by the table that has them. Older versions may lack the table. */
  blobs: Readonly<Record<string, (db: Kysely<unknown>) => AsyncIterable<NamedBlob>>>
  /** Folders within the data folder that people put files into. */
  folders: readonly string[]
  /** Describes damage in a database of this version, beyond what the engine finds. */
  findDamage(db: Kysely<unknown>): Promise<string[]>
}

/** An installation: where it keeps its data. */
export type Installation = {
  /** Version of this program. */
  program: string
  /** `postgres://…`, or empty for SQLite in `dataDir`. */
  databaseUrl: string
  dataDir: string
  /** The secrets of the settings or of `dataDir/secret`, the newest first; none if there is no secret yet. */
  secrets(): readonly string[]
  /** True if the settings name the secret, which is then not in `dataDir`. */
  hasSecretSetting: boolean
  openBlobs(): Promise<BlobStore>
  kept: readonly KeptData[]
  /** Milliseconds since 1970. */
  now(): number
  /** Receives lines about the progress. */
  say(line: string): void
}
