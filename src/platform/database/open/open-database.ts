import type { Database } from '../database.ts'
import { type Migration, migrate } from '../migrate.ts'
import { connectDatabase } from './connect.ts'

/** Settings that say where the databases of this process are. */
export type DatabaseSettings = {
  databaseUrl: string
  databaseConnections: number
  dataDir: string
  logger: { warn(details: object, message: string): void }
  /** Lifts the time limit of statements. */
  isPatient?: boolean
}

/** Opens a service's database by its name and migrates it. Rejects as `connectDatabase` and `migrate` do. */
export async function openDatabase<Tables>(
  { databaseUrl, databaseConnections, dataDir, logger, isPatient }: DatabaseSettings,
  name: string,
  migrations: Record<string, Migration>,
): Promise<Database<Tables>> {
  const database = await connectDatabase<Tables>({
    url: databaseUrl,
    dataDir,
    name,
    logger,
    maxConnections: databaseConnections,
    isPatient,
  })
  try {
    await migrate(database, migrations)
    return database
  } catch (error) {
    await database.close()
    throw error
  }
}
