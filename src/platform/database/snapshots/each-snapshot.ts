import type { DatabaseSnapshot } from './snapshot.ts'
import { eachSqliteSnapshot } from './sqlite-snapshot.ts'

type Options = {
  /** `postgres://…`, or empty for SQLite in `dataDir`. */
  url: string
  dataDir: string
  /** Names of the databases. Those that do not exist are left out. */
  names: readonly string[]
  /** Existing folder on a disk with room for the largest SQLite file. */
  scratch: string
}

/** Engines by which the file of a snapshot is to be read. */
export type SnapshotEngine = 'PostgreSQL' | 'SQLite'

/**
 * Passes on databases as they are at one moment, one after the other, while others go on writing. On
 * PostgreSQL, it is the same moment for all.
 * @returns the engine
 */
export async function eachSnapshot(
  { url, dataDir, names, scratch }: Options,
  use: (snapshot: DatabaseSnapshot) => Promise<void>,
): Promise<SnapshotEngine> {
  if (url === '') {
    await eachSqliteSnapshot({ dataDir, names, scratch }, use)
    return 'SQLite'
  }
  const { eachPostgresSnapshot } = await import('./postgres-snapshot.ts')
  await eachPostgresSnapshot({ url, names }, use)
  return 'PostgreSQL'
}
