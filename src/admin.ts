import { parseArgs } from 'node:util'
import { requireCurrentBuild } from '#platform/basics/build.ts'
import { type Command, listCommands, UsageError, unknownCommand } from '#platform/basics/command.ts'
import { ConfigError, readConfig } from '#platform/basics/config.ts'
import { AppError } from '#platform/basics/errors.ts'
import { platformConfig } from './config.ts'
import type { TypedCommand } from './operator/audit/audit-commands.ts'

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
  // Loaded only now, and once for all commands that a process runs.
  const [{ describeCommands, partsOf, recordIn }, { doctorCommand }] = await Promise.all([
    import('./admin-parts.ts'),
    import('./installation.ts'),
  ])
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
  const parts = partsOf(platform, process.env)
  const helpText = async () => listCommands([...(await describeCommands(platform, process.env)), doctor], typedBefore())
  if (values.help === true) return void process.stdout.write(await helpText())
  const open = parts[positionals[0]]
  if (open === undefined) throw unknownCommand(positionals, await helpText())
  const { database, commands, names = {} } = await open()
  try {
    const record: RecordCommand = (typed, run) =>
      recordIn(platform, { ...typed, names, sudoUser: process.env.SUDO_USER }, run)
    await runCommand(commands, [...positionals, ...flagsOf(values)], values, record)
  } finally {
    await database.close()
  }
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
