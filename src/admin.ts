import { once } from 'node:events'
import { parseArgs } from 'node:util'
import { backupCommands } from '#platform/backup/backup-commands.ts'
import { programVersion, requireCurrentBuild } from '#platform/basics/build.ts'
import { type Command, listCommands, UsageError, unknownCommand } from '#platform/basics/command.ts'
import { ConfigError, readConfig, type Settings } from '#platform/basics/config.ts'
import { AppError } from '#platform/basics/errors.ts'
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
import { platformConfig } from './config.ts'
import { describeInstallation, doctorCommand } from './installation.ts'
import type { KnownThings } from './operator/accounts/operator-accounts.ts'
import { operatorCommands } from './operator/accounts/operator-commands.ts'
import { auditCommands, recordInLog, type TypedCommand } from './operator/audit/audit-commands.ts'
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

const FLAG_OPTIONS = {
  plan: { type: 'boolean' },
  'dry-run': { type: 'boolean' },
  run: { type: 'boolean' },
  json: { type: 'boolean' },
  help: { type: 'boolean', short: 'h' },
} as const

/** Options with a value. Each command takes the options that its usage names. */
const VALUE_OPTIONS = [
  'base-url',
  'event',
  'format',
  'head',
  'keep',
  'limit',
  'max-bytes',
  'max-publications',
  'name',
  'passphrase-file',
  'permissions',
  'role',
  'secret',
  'since',
  'snapshot',
  'user',
  'workspace',
] as const

try {
  requireCurrentBuild(import.meta.url)
  await runAdmin(process.argv.slice(2))
} catch (error) {
  process.stderr.write(`${explain(error)}\n`)
  process.exitCode = 1
}

type Options = Partial<Record<(typeof VALUE_OPTIONS)[number], string>> & {
  help?: boolean
  plan?: boolean
  'dry-run'?: boolean
  run?: boolean
  json?: boolean
}

/**
 * Runs one command and prints its result as a JSON document, or as a text if it is
 * one. Works while the server is running, too.
 */
async function runAdmin(argv: string[]): Promise<void> {
  const { values, positionals } = parseArgs({
    args: argv,
    allowPositionals: true,
    options: { ...valueOptions(), ...FLAG_OPTIONS },
  })
  const doctor = doctorCommand(process.env, values.json === true)
  // Reports problems with the settings. It opens no database, as the other commands do, because that would upgrade it.
  if (positionals[0] === 'doctor' && values.help !== true)
    return await runCommand([doctor], positionals, values, unrecorded)
  const { platform } = readConfig({ platform: platformConfig }, process.env)
  const parts = partsOf(platform)
  if (values.help === true) return void process.stdout.write(await helpOf(platform, doctor))
  const open = parts[positionals[0]]
  if (open === undefined) throw unknownCommand(positionals, await helpOf(platform, doctor))
  const { database, commands, names = {} } = await open()
  try {
    const record: RecordCommand = (typed, run) =>
      recordInLog(openingOf(platform), { ...typed, names, sudoUser: process.env.SUDO_USER }, run)
    await runCommand(commands, [...positionals, ...flagsOf(values)], values, record)
  } finally {
    await database.close()
  }
}

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
function partsOf(
  platform: PlatformSettings,
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
    const installation = describeInstallation(platform, process.env)
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
      exportCommand(database, { ...platform, env: process.env }, now),
    ]
    return { database, commands, names: publicationsSubjectNames(database.db, now) }
  }

  async function operatorPart(): Promise<OpenedPart> {
    const database = await open(openOperatorDatabase)
    const baseUrl = platform.baseUrl || `http://localhost:${platform.port}`
    const known = knownThings(opening, platform.services)
    const { operator } = readConfig({ operator: operatorConfig }, process.env)
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
      commands: backupCommands(describeInstallation(platform, process.env), noteBackup),
    }
  }
}

/** Lists all commands, without a database or a secret: help neither upgrades an installation nor begins one. */
async function helpOf(platform: PlatformSettings, doctor: Command): Promise<string> {
  const described = partsOf({ ...platform, databaseUrl: '', secretKey: newSecret() }, async () => noDatabase())
  const parts = await Promise.all([...new Set(Object.values(described))].map((open) => open()))
  return listCommands([...parts.flatMap(({ commands }) => commands), doctor], typedBefore())
}

/** Returns the words that start an admin command in this installation. */
function typedBefore(): string {
  const { adminCommand } = platformConfig
  return readConfig({ own: { adminCommand } }, process.env).own.adminCommand
}

function valueOptions() {
  return Object.fromEntries(VALUE_OPTIONS.map((name) => [name, { type: 'string' }])) as Record<
    (typeof VALUE_OPTIONS)[number],
    { type: 'string' }
  >
}

/** The flags that are part of a command's name. */
function flagsOf(options: Options): string[] {
  return (['plan', 'run', 'json', 'dry-run'] as const)
    .filter((name) => options[name] === true)
    .map((name) => `--${name}`)
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

type RecordCommand = (typed: TypedCommand, run: () => Promise<unknown>) => Promise<unknown>

/** Runs a command that only reads. */
function unrecorded(_typed: TypedCommand, run: () => Promise<unknown>): Promise<unknown> {
  return run()
}

async function runCommand(
  commands: readonly Command[],
  words: readonly string[],
  options: Options,
  record: RecordCommand,
): Promise<void> {
  const command = commands.find(({ usage }) => wordsOf(usage).every((word, i) => words[i] === word))
  if (command === undefined) throw unknownCommand(words, listCommands(commands, typedBefore()))
  const args = words.slice(wordsOf(command.usage).length)
  const given = Object.fromEntries(VALUE_OPTIONS.map((name) => [name, options[name]]))
  refuseUnused(command, args, given)
  const run = () => command.run(args, given)
  const optionNames = Object.keys(given).filter((name) => given[name as keyof typeof given] !== undefined)
  const answer = await (command.isReadOnly ? run() : record({ command, args, options: optionNames }, run))
  // A command that has written its own output returns nothing.
  if (answer !== undefined) process.stdout.write(typeof answer === 'string' ? answer : `${JSON.stringify(answer)}\n`)
}

/** Writes to standard output, no faster than it is read. */
async function writeOut(text: string): Promise<void> {
  if (!process.stdout.write(text)) await once(process.stdout, 'drain')
}

/** The fixed words of a command: `events`, `create` of `events create <name>`. */
function wordsOf(usage: string): string[] {
  const words = usage.split(' ')
  const end = words.findIndex((word) => /^[<[]/.test(word))
  return end === -1 ? words : words.slice(0, end)
}

/** Refuses arguments that a command does not take, such as a name of several words without quotes. */
function refuseUnused({ usage }: Command, args: readonly string[], given: Record<string, string | undefined>): void {
  const taken = usage.replace(/\[--[^[\]]*\]/g, '').match(/<[^<>]+>/g)?.length ?? 0
  const unknown = Object.keys(given).some((name) => given[name] !== undefined && !usage.includes(`[--${name} `))
  if (args.length > taken || unknown) throw new UsageError(`Usage: admin ${usage}`)
}

function explain(error: unknown): string {
  if (error instanceof UsageError || error instanceof ConfigError || error instanceof AppError) return error.message
  return `The command failed: ${(error as Error).message}`
}
