import { once } from 'node:events'
import { backupCommands } from '#platform/backup/backup-commands.ts'
import { programVersion } from '#platform/basics/build.ts'
import type { Command } from '#platform/basics/command.ts'
import { readConfig, type Settings } from '#platform/basics/config.ts'
import { createLogger } from '#platform/basics/logger.ts'
import { newSecret, readSecrets } from '#platform/basics/secrets.ts'
import type { NamesByKind } from '#platform/credentials/audited.ts'
import { type SealingPart, secretCommands } from '#platform/credentials/sealed-columns.ts'
import type { Database } from '#platform/database/database.ts'
import { type DistributedPart, distributeCommands, distributionUrl } from '#platform/database/distribute.ts'
import { type DatabaseSettings, noDatabase } from '#platform/database/open-database.ts'
import { noteBackup } from '#platform/doctor/check-stored-data.ts'
import { storageCommands } from '#platform/doctor/storage-commands.ts'
import { maintenanceCommands } from '#platform/jobs/maintenance-clock.ts'
import packageJson from '#project/package.json' with { type: 'json' }
import type { platformConfig } from './config.ts'
import { describeInstallation } from './installation.ts'
import type { KnownThings } from './operator/accounts/operator-accounts.ts'
import { operatorCommands } from './operator/accounts/operator-commands.ts'
import { auditCommands, recordInLog } from './operator/audit/audit-commands.ts'
import { operatorConfig } from './operator/model/config.ts'
import { openOperatorDatabase, operatorSealedColumns } from './operator/model/tables.ts'
import { providerAccounts } from './operator/sign-in/provider-settings.ts'
import { exportCommand } from './publications/exports/commands.ts'
import { publicationsSubjectNames } from './publications/library/subject-names.ts'
import { publicationsCommands } from './publications/library/workspace-commands.ts'
import { deriveSealingKeys, publicationsSealedColumns } from './publications/library/workspace-keys.ts'
import { openPublicationsDatabase, publicationsLayout } from './publications/model/tables.ts'
import { createWorkspacesStore } from './publications/model/workspaces-store.ts'
import { storedPointsCommands, tracksCommands } from './tracks/commands.ts'
import { createEventsStore } from './tracks/model/events-store.ts'
import { openTracksDatabase } from './tracks/model/migrations.ts'
import { tracksLayout, tracksSealedColumns } from './tracks/model/tables.ts'
import { verifyStorage } from './tracks/points/storage/inspection.ts'
import { tracksSubjectNames } from './tracks/subject-names.ts'

type PlatformSettings = Settings<typeof platformConfig>

function openingOf(platform: PlatformSettings) {
  return {
    ...platform,
    logger: createLogger('error'),
    isPatient: true,
    programVersion: programVersion(packageJson.version),
  }
}

/** Opens the database of a service, migrated, with its own function for that. */
type Open = <Tables>(service: (settings: DatabaseSettings) => Promise<Database<Tables>>) => Promise<Database<Tables>>

/** Returns the parts by the first word of their commands. A command opens only the database of its part. */
export function partsOf(
  platform: PlatformSettings,
  env: NodeJS.ProcessEnv,
  open: Open = (service) => service(openingOf(platform)),
): Record<string, () => Promise<OpenedPart>> {
  const opening = openingOf(platform)
  // Read when they are needed: reading creates a missing secret, and a restore brings its own.
  const secrets = () => readSecrets(platform)
  const now = () => Date.now()
  const distributedPart = () => openDistribution(opening, platform.services)
  return {
    events: openTracks,
    storage: storagePart,
    erase: openTracks,
    workspaces: publicationsPart,
    publications: publicationsPart,
    operators: operatorPart,
    audit: operatorPart,
    distribute: distributedPart,
    secrets: secretsPart,
    upkeep: maintenancePart,
    backup: backupPart,
  }

  async function openTracks() {
    const database = await open(openTracksDatabase)
    return { database, commands: tracksCommands(database, secrets(), now), names: tracksSubjectNames(database.db, now) }
  }

  async function storagePart(): Promise<OpenedPart> {
    const installation = describeInstallation(platform, env)
    if (!platform.services.includes('tracks'))
      return { database: { close: async () => {} }, commands: storageCommands(installation, undefined) }
    const database = await open(openTracksDatabase)
    return {
      database,
      commands: [...storedPointsCommands(database), ...storageCommands(installation, () => verifyStorage(database.db))],
    }
  }

  async function publicationsPart(): Promise<OpenedPart> {
    const database = await open(openPublicationsDatabase)
    const commands = [
      ...publicationsCommands(database, deriveSealingKeys(secrets()), now),
      exportCommand(database, { ...platform, env: env }, now),
    ]
    return { database, commands, names: publicationsSubjectNames(database.db, now) }
  }

  async function operatorPart(): Promise<OpenedPart> {
    const database = await open(openOperatorDatabase)
    const baseUrl = platform.baseUrl || `http://localhost:${platform.port}`
    const known = knownThings(opening, platform.services)
    const { operator } = readConfig({ operator: operatorConfig }, env)
    const operators = { database, baseUrl, known, providerAccounts: providerAccounts(operator), now }
    const commands = [...operatorCommands(operators), ...auditCommands(database, writeOut, now)]
    return { database, commands }
  }

  async function secretsPart(): Promise<OpenedPart> {
    const parts = await openServiceParts(open, platform.services)
    return { database: closingAll(parts), commands: secretCommands(platform, parts) }
  }

  async function maintenancePart(): Promise<OpenedPart> {
    const parts = await openServiceParts(open, platform.services)
    return { database: closingAll(parts), commands: maintenanceCommands(parts, now) }
  }

  async function backupPart(): Promise<OpenedPart> {
    return {
      database: { close: async () => {} },
      commands: backupCommands(describeInstallation(platform, env), noteBackup),
    }
  }
}

/** Describes all commands but the doctor, without a database or a secret: help begins no installation. */
export async function describeCommands(platform: PlatformSettings, env: NodeJS.ProcessEnv): Promise<Command[]> {
  const described = partsOf({ ...platform, databaseUrl: '', secretKey: newSecret() }, env, async () => noDatabase())
  const parts = await Promise.all([...new Set(Object.values(described))].map((open) => open()))
  return parts.flatMap(({ commands }) => commands)
}

/** Runs a command that changes something, and records it in the audit log. */
export function recordIn(
  platform: PlatformSettings,
  typed: Parameters<typeof recordInLog>[1],
  run: () => Promise<unknown>,
) {
  return recordInLog(openingOf(platform), typed, run)
}

/** Finds events and workspaces in the databases of the services that run here. */
function knownThings(settings: DatabaseSettings, services: readonly string[]): KnownThings {
  const runs = (service: string) => services.includes(service)
  return {
    events: runs('tracks')
      ? (id) => inDatabase(openTracksDatabase(settings), (db) => createEventsStore(db).find(id))
      : undefined,
    workspaces: runs('publications')
      ? (id) => inDatabase(openPublicationsDatabase(settings), (db) => createWorkspacesStore(db).find(id))
      : undefined,
  }
}

/** Tells whether a database has what `find` looks for, and closes it. */
async function inDatabase<Tables>(
  opening: Promise<Database<Tables>>,
  find: (db: Database<Tables>['db']) => Promise<unknown>,
): Promise<boolean> {
  const database = await opening
  try {
    return (await find(database.db)) !== undefined
  } finally {
    await database.close()
  }
}

/** Opens the databases whose tables are spread. The operators' database stays on the coordinator. */
async function openDistribution(settings: DatabaseSettings, services: readonly string[]): Promise<OpenedPart> {
  const parts: (DistributedPart & { database: Database })[] = []
  if (settings.databaseUrl !== '') {
    const named = { ...settings, databaseUrl: distributionUrl(settings.databaseUrl) }
    if (services.includes('tracks'))
      parts.push({
        schema: 'tracks',
        database: (await openTracksDatabase(named)) as unknown as Database,
        layout: tracksLayout,
      })
    if (services.includes('publications')) {
      const database = (await openPublicationsDatabase(named)) as unknown as Database
      parts.push({ schema: 'publications', database, layout: publicationsLayout })
    }
  }
  return {
    database: closingAll(parts),
    commands: distributeCommands(parts, (line) => process.stderr.write(`${line}\n`)),
  }
}

/** Opens the databases of the services that the settings name, which may have sealed texts. */
async function openServiceParts(open: Open, services: readonly string[]) {
  const parts: (SealingPart & { database: { close(): Promise<void> } })[] = []
  const add = (service: string, database: Pick<Database, 'close'> & { db: unknown }, columns: SealingPart['columns']) =>
    parts.push({ service, database, db: database.db as SealingPart['db'], columns })
  if (services.includes('tracks')) add('tracks', await open(openTracksDatabase), tracksSealedColumns)
  if (services.includes('publications'))
    add('publications', await open(openPublicationsDatabase), publicationsSealedColumns)
  if (services.includes('dashboard')) add('operator', await open(openOperatorDatabase), operatorSealedColumns)
  return parts
}

function closingAll(parts: readonly { database: { close(): Promise<void> } }[]) {
  return { close: async () => void (await Promise.all(parts.map(({ database }) => database.close()))) }
}

/** The commands of a service, with their open database. */
type OpenedPart = {
  database: { close(): Promise<void> }
  commands: readonly Command[]
  /** Finders of the names of the things that the commands are about. */
  names?: NamesByKind
}

/** Writes to standard output, no faster than it is read. */
async function writeOut(text: string): Promise<void> {
  if (!process.stdout.write(text)) await once(process.stdout, 'drain')
}
