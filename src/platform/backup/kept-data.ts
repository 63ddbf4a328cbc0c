import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { Kysely } from 'kysely'
import { deriveKey } from '../basics/secrets.ts'
import type { BlobStore } from '../blobs/blob-store.ts'
import type { Database } from '../database/database.ts'
import type { Migration } from '../database/migrate.ts'
import { connectDatabase } from '../database/open-database.ts'

/** A stored file that a row of a database names, with the facts in the row. */
export type NamedBlob = {
  key: string
  size: number
  sha256: string | undefined
  /** True if the SHA-256 was taken from the file some time after it was stored, and says nothing of that time. */
  isSumFound?: boolean | undefined
  /** Place of the row, after which reading can begin again. A row may name several files. */
  at: string
  /** Id of the thing that the file belongs to, such as a publication. */
  subjectId: string | null
  /** True if a row of another table names the file, too, by which it is looked at. */
  isNamedAgain?: boolean
}

/** A part of a service's rows, after it was read and compared. */
export type InspectedRow = {
  /** Place behind it, after which reading can begin again. */
  at: string | undefined
  damage: { key: string; subjectId: string; detail: string } | undefined
  bytes: number
}

/** A row that is damaged, by a key that `inspectRows` gives it. */
export type DamagedRow = NonNullable<InspectedRow['damage']>

/** The data of a service, and how to find damage in it. This is all that backups know of the service. */
export type KeptData = {
  /** Name of its SQLite file and of its schema. */
  name: string
  migrations: Record<string, Migration>
  /** Tables that a restored installation begins without, such as the sessions of browsers. */
  endedByRestore: readonly string[]
  /** Reads the names of stored files, by the table that has them. Older versions may lack the table or its column. */
  blobs: Readonly<Record<string, (db: Kysely<unknown>, after?: string) => AsyncIterable<NamedBlob>>>
  /** Records the SHA-256 of a stored file whose row has none, for later inspections. */
  recordSum?: (db: Kysely<unknown>, key: string, found: { size: number; sha256: string }) => Promise<void>
  /** Folders within the data folder that people put files into. */
  folders: readonly string[]
  /** Reads rows of this version and compares them with each other, beyond the checks of the engine. */
  inspectRows?: (db: Kysely<unknown>, after?: string, isDue?: (key: string) => boolean) => AsyncIterable<InspectedRow>
  /**
   * Replaces a damaged row by its copy in a backup, if that is certain to be the same row, undamaged.
   * @returns whether it did
   */
  repairRow?: (db: Kysely<unknown>, key: string, backup: Kysely<unknown>) => Promise<boolean>
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

/** Places of the databases of an installation. */
export type KeptDatabases = Pick<Installation, 'kept' | 'databaseUrl' | 'dataDir'>

/**
 * Opens the databases that an installation has, one after the other, while servers use them. None is created or
 * migrated, so a table may be missing in one that an older version has left.
 */
export async function eachDatabase(
  { kept, databaseUrl: url, dataDir }: KeptDatabases,
  use: (data: KeptData, database: Database) => Promise<void>,
): Promise<void> {
  const existing = await namesOf(
    kept.map(({ name }) => name),
    url,
    dataDir,
  )
  for (const data of kept) {
    if (!existing.includes(data.name)) continue
    const database: Database = await connectDatabase({ url, dataDir, name: data.name, isPatient: true })
    try {
      await use(data, database)
    } finally {
      await database.close()
    }
  }
}

async function namesOf(names: readonly string[], url: string, dataDir: string): Promise<readonly string[]> {
  if (url === '') return names.filter((name) => existsSync(join(dataDir, `${name}.sqlite`)))
  const { occupiedSchemas } = await import('../database/postgres-snapshot.ts')
  return (await occupiedSchemas(url, names)).map(({ name }) => name)
}

/** Tells whether a query failed because an older version has left the database, which lacks a table or a column. */
export function isTableMissing(error: unknown): boolean {
  const { code, message } = error as { code?: string; message: string }
  return code === '42P01' || code === '42703' || /no such (?:table|column)/.test(message)
}

/** Returns a hash by which a secret is recognised, and from which nothing of it can be computed. */
export function secretFingerprint(secret: string): string {
  const key = deriveKey(Buffer.from(secret, 'utf8'), 'fingerprint in a backup')
  return createHash('sha256').update(key).digest('hex')
}
