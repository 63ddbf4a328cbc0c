import { parseArgs } from 'node:util'
import { type Command, UsageError } from '#platform/command.ts'
import { ConfigError, readConfig } from '#platform/config.ts'
import { AppError } from '#platform/errors.ts'
import { createLogger } from '#platform/logger.ts'
import { platformConfig } from '#platform/platform-config.ts'
import { deriveKey, readSecret } from '#platform/security/secret.ts'
import { SEALING_PURPOSES } from './first-start.ts'
import { operatorCommands } from './operator/admin-commands.ts'
import { openOperatorDatabase } from './operator/service.ts'
import { publicationsCommands } from './publications/admin-commands.ts'
import { openPublicationsDatabase } from './publications/service.ts'
import { tracksCommands } from './tracks/admin-commands.ts'
import { openTracksDatabase } from './tracks/service.ts'

try {
  await runAdmin(process.argv.slice(2))
} catch (error) {
  process.stderr.write(`${explain(error)}\n`)
  process.exitCode = 1
}

type Options = { keep?: string; help?: boolean }

/** Carries out one command and prints its answer as one JSON document; works beside a running server and without one. */
async function runAdmin(argv: string[]): Promise<void> {
  const { values, positionals } = parseArgs({
    args: argv,
    allowPositionals: true,
    options: { keep: { type: 'string' }, help: { type: 'boolean', short: 'h' } },
  })
  const { platform } = readConfig({ platform: platformConfig }, process.env)
  const opening = { ...platform, logger: createLogger('error') }
  const secret = readSecret(platform.secretKey, platform.dataDir)
  const now = () => Date.now()
  const tracks = await openTracksDatabase(opening)
  const publications = await openPublicationsDatabase(opening)
  const operator = await openOperatorDatabase(opening)
  try {
    const commands = [
      ...tracksCommands(tracks, deriveKey(secret, SEALING_PURPOSES.appTokens), now),
      ...publicationsCommands(publications, deriveKey(secret, SEALING_PURPOSES.apiKeys), now),
      ...operatorCommands(operator, platform.baseUrl || `http://localhost:${platform.port}`, now),
    ]
    await carryOut(commands, positionals, values)
  } finally {
    await operator.close()
    await publications.close()
    await tracks.close()
  }
}

async function carryOut(commands: readonly Command[], words: readonly string[], options: Options): Promise<void> {
  if (options.help === true) {
    process.stdout.write(help(commands))
    return
  }
  const command = commands.find(({ usage }) => wordsOf(usage) === words.slice(0, 2).join(' '))
  if (command === undefined) throw new UsageError(help(commands))
  const args = words.slice(2)
  refuseUnused(command, args, options)
  const answer = await command.run(args, { keep: options.keep })
  process.stdout.write(`${JSON.stringify(answer)}\n`)
}

/** The fixed words of a command: `events create` of `events create <name>`. */
function wordsOf(usage: string): string {
  return usage.split(' ').slice(0, 2).join(' ')
}

/** What a command does not take is a mistake, such as a name of several words without quotes. */
function refuseUnused({ usage }: Command, args: readonly string[], options: { keep?: string }): void {
  const taken = usage.match(/<.+?>/g)?.length ?? 0
  if (args.length > taken || (options.keep !== undefined && !usage.includes('--keep'))) {
    throw new UsageError(`Usage: admin ${usage}`)
  }
}

function help(commands: readonly Command[]): string {
  const lines = commands.map(({ usage, doc }) => `  ${usage.padEnd(34)}${doc}`)
  return `Usage: npm run --silent admin -- <command>\n\n${lines.join('\n')}\n`
}

function explain(error: unknown): string {
  if (error instanceof UsageError || error instanceof ConfigError || error instanceof AppError) return error.message
  return `The command failed: ${(error as Error).message}`
}
