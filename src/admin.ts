import { parseArgs } from 'node:util'
import { requireCurrentBuild } from '#platform/build/require-current-build.ts'
import { type Command, UsageError } from '#platform/command.ts'
import { ConfigError, readConfig } from '#platform/config.ts'
import type { Database } from '#platform/database/database.ts'
import { distributeCommands, distributionUrl } from '#platform/database/distribution/distribute-commands.ts'
import type { DistributedPart } from '#platform/database/distribution/plan-distribution.ts'
import type { DatabaseSettings } from '#platform/database/open/open-database.ts'
import { AppError } from '#platform/errors.ts'
import { createLogger } from '#platform/logger.ts'
import { platformConfig } from '#platform/platform-config.ts'
import { readSecret } from '#platform/security/secret.ts'
import { operatorCommands } from './operator/admin-commands.ts'
import { openOperatorDatabase } from './operator/storage/open-database.ts'
import { publicationsCommands } from './publications/admin-commands.ts'
import { openPublicationsDatabase } from './publications/storage/open-database.ts'
import { publicationsLayout } from './publications/storage/tables.ts'
import { deriveSealingKey } from './publications/workspaces/workspace-keys.ts'
import { tracksCommands } from './tracks/admin-commands.ts'
import { deriveTokenKey } from './tracks/events/event-tokens.ts'
import { openTracksDatabase } from './tracks/storage/open-database.ts'
import { tracksLayout } from './tracks/storage/tables.ts'

/** Options with a value. Each command takes those that its usage names. */
const VALUE_OPTIONS = ['keep', 'max-bytes', 'max-publications', 'name', 'permissions', 'user'] as const

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
  run?: boolean
}

/** Runs one command and prints its result as a JSON document. Works while the server is running, too. */
async function runAdmin(argv: string[]): Promise<void> {
  const { values, positionals } = parseArgs({
    args: argv,
    allowPositionals: true,
    options: {
      ...valueOptions(),
      plan: { type: 'boolean' },
      run: { type: 'boolean' },
      help: { type: 'boolean', short: 'h' },
    },
  })
  const { platform } = readConfig({ platform: platformConfig }, process.env)
  const opening = { ...platform, logger: createLogger('error'), isPatient: true }
  const secret = readSecret(platform.secretKey, platform.dataDir)
  const now = () => Date.now()
  const distributedPart = () => openDistribution(opening, platform.services)
  const parts: Record<string, () => Promise<OpenedPart>> = {
    events: tracksPart,
    storage: tracksPart,
    workspaces: publicationsPart,
    operators: operatorPart,
    distribute: distributedPart,
  }

  async function tracksPart(): Promise<OpenedPart> {
    const database = await openTracksDatabase(opening)
    return { database, commands: tracksCommands(database, deriveTokenKey(secret), now) }
  }

  async function publicationsPart(): Promise<OpenedPart> {
    const database = await openPublicationsDatabase(opening)
    return { database, commands: publicationsCommands(database, deriveSealingKey(secret), now) }
  }

  async function operatorPart(): Promise<OpenedPart> {
    const database = await openOperatorDatabase(opening)
    const baseUrl = platform.baseUrl || `http://localhost:${platform.port}`
    return { database, commands: operatorCommands(database, baseUrl, now) }
  }

  // A command opens only the database of its service; the help lists the commands of all.
  const part = values.help === true ? undefined : parts[positionals[0]]
  const opened = await openAll(
    part === undefined ? [tracksPart, publicationsPart, operatorPart, distributedPart] : [part],
  )
  try {
    await runCommand(
      opened.flatMap(({ commands }) => commands),
      [...positionals, ...flagsOf(values)],
      values,
    )
  } finally {
    for (const { database } of opened.toReversed()) await database.close()
  }
}

function valueOptions() {
  return Object.fromEntries(VALUE_OPTIONS.map((name) => [name, { type: 'string' }])) as Record<
    (typeof VALUE_OPTIONS)[number],
    { type: 'string' }
  >
}

/** The flags that are part of a command's name. */
function flagsOf({ plan, run }: Options): string[] {
  return [...(plan === true ? ['--plan'] : []), ...(run === true ? ['--run'] : [])]
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
    database: { close: async () => void (await Promise.all(parts.map(({ database }) => database.close()))) },
    commands: distributeCommands(parts, (line) => process.stderr.write(`${line}\n`)),
  }
}

/** The commands of a service, with their open database. */
type OpenedPart = { database: { close(): Promise<void> }; commands: readonly Command[] }

async function openAll(parts: readonly (() => Promise<OpenedPart>)[]): Promise<OpenedPart[]> {
  const opened: OpenedPart[] = []
  for (const open of parts) opened.push(await open())
  return opened
}

async function runCommand(commands: readonly Command[], words: readonly string[], options: Options): Promise<void> {
  if (options.help === true) {
    process.stdout.write(help(commands))
    return
  }
  const command = commands.find(({ usage }) => wordsOf(usage).every((word, i) => words[i] === word))
  if (command === undefined) throw new UsageError(help(commands))
  const args = words.slice(wordsOf(command.usage).length)
  const given = Object.fromEntries(VALUE_OPTIONS.map((name) => [name, options[name]]))
  refuseUnused(command, args, given)
  const answer = await command.run(args, given)
  process.stdout.write(`${JSON.stringify(answer)}\n`)
}

/** The fixed words of a command: `events`, `create` of `events create <name>`. */
function wordsOf(usage: string): string[] {
  const words = usage.split(' ')
  const end = words.findIndex((word) => /^[<[]/.test(word))
  return end === -1 ? words : words.slice(0, end)
}

/** Refuses arguments that a command does not take, such as a name of several words without quotes. */
function refuseUnused({ usage }: Command, args: readonly string[], given: Record<string, string | undefined>): void {
  const taken = usage.replace(/\[.*?\]/g, '').match(/<.+?>/g)?.length ?? 0
  const unknown = Object.keys(given).some((name) => given[name] !== undefined && !usage.includes(`[--${name} `))
  if (args.length > taken || unknown) throw new UsageError(`Usage: admin ${usage}`)
}

function help(commands: readonly Command[]): string {
  const width = Math.max(...commands.map(({ usage }) => usage.length)) + 2
  const lines = commands.map(({ usage, doc }) => `  ${usage.padEnd(width)}${doc}`)
  return `Usage: npm run --silent admin -- <command>\n\n${lines.join('\n')}\n`
}

function explain(error: unknown): string {
  if (error instanceof UsageError || error instanceof ConfigError || error instanceof AppError) return error.message
  return `The command failed: ${(error as Error).message}`
}
