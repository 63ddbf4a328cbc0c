import { hostname, userInfo } from 'node:os'
import type { Command } from '#platform/basics/command.ts'
import { createLogger } from '#platform/basics/logger.ts'
import type { NamesByKind } from '#platform/credentials/audited.ts'
import type { DatabaseSettings } from '#platform/database/open-database.ts'
import { openOperatorDatabase } from '../model/database.ts'
import {
  type AuditActor,
  type AuditEntry,
  type AuditSubject,
  createSubjectNames,
  resultOf,
  singular,
} from './audit-entry.ts'
import { type AuditLog, createAuditLog } from './audit-log.ts'
import { createAuditStore } from './audit-store.ts'

/** A command as it was typed. */
export type TypedCommand = {
  command: Command
  args: readonly string[]
  /** Names of the options that were given. Their values are not recorded. */
  options: readonly string[]
}

/** A command with its surroundings. */
type AttributedCommand = TypedCommand & {
  /** The user of the system, and the machine. */
  user: string
  host: string
  /** Finders of the names of the things that the command may be about. */
  names: NamesByKind
}

/**
 * Runs a command that is recorded in the audit log: before it runs, and again when it has ended.
 * @throws auditUnavailable if it cannot be recorded; then it does not run. Also throws the errors of the command
 */
async function recordCommand<Result>(
  audit: AuditLog,
  typed: AttributedCommand,
  run: () => Promise<Result>,
): Promise<Result> {
  const position = await audit.begin(await entryOf(typed))
  try {
    const result = await run()
    audit.end(position, { outcome: 'succeeded', result: resultOf(result) })
    return result
  } catch (error) {
    audit.end(position, { outcome: 'failed' })
    throw error
  }
}

async function entryOf({
  command: { usage },
  args,
  options,
  user,
  host,
  names,
}: AttributedCommand): Promise<AuditEntry> {
  const words = usage.split(' ')
  const end = words.findIndex((word) => /^[<[]/.test(word))
  const fixed = end === -1 ? words : words.slice(0, end)
  const actor: AuditActor = { id: null, name: user }
  const { subject, within, others } = thingsOf(usage, fixed, args)
  const details = { host, ...others, ...(options.length > 0 && { options }) }
  const known = createSubjectNames()
  known.add(names)
  subject.name ??= await known.find(subject.kind, subject.id, within?.id)
  if (within !== undefined) within.name = await known.find(within.kind, within.id, undefined)
  return { source: 'admin', action: fixed.join(' '), actor, subject, within, details }
}

/**
 * Returns the subject of a command: for `events tokens revoke <event> <token id>` the token, which belongs to the
 * event. Other arguments, such as the role in `operators role <name> <role>`, are facts about it.
 */
function thingsOf(
  usage: string,
  fixed: readonly string[],
  args: readonly string[],
): { subject: AuditSubject; within: AuditSubject | undefined; others: Record<string, unknown> } {
  const named = (usage.replace(/\[[^[\]]*\]/g, '').match(/<[^<>]+>/g) ?? []).map((name) => name.slice(1, -1))
  const things = named.map((name, i) => ({ name, value: args[i] ?? null }))
  const collection = fixed.length > 2 ? fixed[1] : fixed[0]
  const kind = singular(collection)
  const isNamed = (name: string) => name === 'id' || name.endsWith(' id') || name === 'name'
  const last = things.findLast(({ name }) => isNamed(name))
  const owner = fixed.length > 2 ? things.find(({ name }) => !isNamed(name)) : undefined
  const others = things.filter((one) => one !== last && one !== owner).map(({ name, value }) => [name, value])
  const within = owner === undefined ? undefined : { kind: owner.name, id: owner.value, name: null }
  const isName = last?.name === 'name'
  const subject = { kind, id: isName ? null : (last?.value ?? null), name: isName ? last.value : null }
  return { subject, within, others: Object.fromEntries(others) }
}

type Surroundings = {
  names: NamesByKind
  /** The user who became another with sudo, as it says itself. */
  sudoUser: string | undefined
}

/**
 * Runs an admin command, which is recorded in the operators' database, even if the settings do not name the dashboard.
 * @throws the errors of the command; auditUnavailable, or the errors of opening the database, and then the command does
 * not run
 */
export async function recordInLog<Result>(
  settings: DatabaseSettings,
  { sudoUser, ...typed }: TypedCommand & Surroundings,
  run: () => Promise<Result>,
): Promise<Result> {
  const database = await openOperatorDatabase(settings)
  const logger = createLogger('error')
  const audit = createAuditLog({ store: createAuditStore(database.db), logger, now: () => Date.now() })
  try {
    return await recordCommand(audit, { ...typed, user: systemUser(sudoUser), host: hostname() }, run)
  } finally {
    await audit.close()
    await database.close()
  }
}

function systemUser(sudoUser: string | undefined): string {
  const name = userName()
  return sudoUser === undefined || sudoUser === name ? name : `${sudoUser} (as ${name})`
}

/** A container may run under a number without a name. */
function userName(): string {
  try {
    return userInfo().username
  } catch {
    return String(process.getuid?.() ?? 'unknown')
  }
}
