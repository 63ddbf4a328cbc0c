import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { Database } from '../database/database.ts'
import { connectDatabase } from '../database/open/connect.ts'
import type { Installation, KeptData } from './kept-data.ts'

/**
 * Opens the databases that an installation has, one after the other, while servers use them. None is created or
 * migrated, so a table may be missing in one that an older version has left.
 */
export async function eachDatabase(
  { kept, databaseUrl: url, dataDir }: Pick<Installation, 'kept' | 'databaseUrl' | 'dataDir'>,
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
  const { occupiedSchemas } = await import('../database/snapshots/fill-postgres.ts')
  return (await occupiedSchemas(url, names)).map(({ name }) => name)
}

/** Tells whether a query failed because an older version has left the database, which lacks a table. */
export function isTableMissing(error: unknown): boolean {
  const { code, message } = error as { code?: string; message: string }
  return code === '42P01' || /no such table/.test(message)
}
