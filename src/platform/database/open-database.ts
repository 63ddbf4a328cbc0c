import { connectDatabase, type Database } from './connect.ts'
import { type Migration, migrate } from './migrate.ts'

/** Where the databases of this process are, as its settings say. */
export type DatabaseSettings = {
  databaseUrl: string
  databaseConnections: number
  dataDir: string
  logger: { warn(details: object, message: string): void }
}

/** Opens a part's database by its name and brings it up to date. Rejects as `connectDatabase` and `migrate` do. */
export async function openDatabase<Tables>(
  { databaseUrl, databaseConnections, dataDir, logger }: DatabaseSettings,
  name: string,
  migrations: Record<string, Migration>,
): Promise<Database<Tables>> {
  const database = await connectDatabase<Tables>({
    url: databaseUrl,
    dataDir,
    name,
    logger,
    maxConnections: databaseConnections,
  })
  try {
    await migrate(database, migrations)
    return database
  } catch (error) {
    await database.close()
    throw error
  }
}
