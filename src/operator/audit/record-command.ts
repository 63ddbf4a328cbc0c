import type { NamesByKind } from '#platform/audit/find-name.ts'
import type { Command } from '#platform/command.ts'
import { type AuditActor, type AuditEntry, type AuditSubject, resultOf } from './audit-entry.ts'
import type { AuditLog } from './audit-log.ts'
import { createSubjectNames } from './subject-names.ts'
import { singular } from './subject-of-route.ts'

/** A command as it was typed. */
export type TypedCommand = {
  command: Pick<Command, 'usage'>
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
 * @throws auditUnavailable if it cannot be recorded; then it does not run. Or what the command throws
 */
export async function recordCommand<Result>(
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
 * Returns what a command is about: of `events tokens revoke <event> <token id>` the token, which belongs to the event.
 * The others of its arguments, such as the role in `operators role <name> <role>`, are facts about it.
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
