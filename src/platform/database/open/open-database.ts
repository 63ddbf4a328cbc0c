import type { Registry } from 'prom-client'
import type { Database } from '../database.ts'
import { type Migration, migrate, type UpgradeOptions } from '../migrate.ts'
import { copyBeforeUpgrade } from '../upgrade/copy-before-upgrade.ts'
import { copiesOf } from '../upgrade/upgrade-copies.ts'
import { connectDatabase } from './connect.ts'
import { addDatabaseMetrics } from './database-metrics.ts'

/** Settings that say where the databases of this process are. */
export type DatabaseSettings = {
  databaseUrl: string
  databaseConnections: number
  dataDir: string
  logger: { info(details: object, message: string): void; warn(details: object, message: string): void }
  /** Gets metrics of the connections; none are kept for a program that ends. */
  registry?: Registry
  /** Lifts the time limit of statements. */
  isPatient?: boolean
  /** Version of this program. */
  programVersion?: string
  /** Copies an SQLite database that is used before it is upgraded; the default. */
  copyBeforeUpgrade?: boolean
}

/** Opens a service's database by its name and migrates it. Rejects as `connectDatabase` and `migrate` do. */
export async function openDatabase<Tables>(
  settings: DatabaseSettings,
  name: string,
  migrations: Record<string, Migration>,
): Promise<Database<Tables>> {
  const { databaseUrl, databaseConnections, dataDir, logger, registry, isPatient } = settings
  const database = await connectDatabase<Tables>({
    url: databaseUrl,
    dataDir,
    name,
    logger,
    maxConnections: databaseConnections,
    registry,
    isPatient,
  })
  try {
    await migrate(database, migrations, upgradeOptions(settings, name, database.embedded))
    if (registry !== undefined) addDatabaseMetrics(registry, name, database)
    return database
  } catch (error) {
    await database.close()
    throw error
  }
}

function upgradeOptions(
  { dataDir, logger, programVersion, copyBeforeUpgrade: isCopied = true }: DatabaseSettings,
  name: string,
  embedded: Database['embedded'],
): UpgradeOptions {
  if (embedded === undefined) return { programVersion }
  return {
    programVersion,
    findCopies: () => copiesOf(dataDir, name),
    async beforeUpgrade(fromVersion) {
      if (!isCopied) return
      await copyBeforeUpgrade({ ...embedded, name, dataDir, fromVersion, nowMs: Date.now(), logger })
    },
  }
}
