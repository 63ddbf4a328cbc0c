import { hostname, userInfo } from 'node:os'
import { type Command, UsageError } from '#platform/basics/command.ts'
import { createLogger } from '#platform/basics/logger.ts'
import { readDecimal } from '#platform/basics/text.ts'
import { parseDateTime, readDuration } from '#platform/basics/time.ts'
import type { NamesByKind } from '#platform/credentials/audited.ts'
import type { Database } from '#platform/database/database.ts'
import type { DatabaseSettings } from '#platform/database/open-database.ts'
import type { OperatorTables } from '../model/tables.ts'
import { openOperatorDatabase } from '../model/tables.ts'
import {
  type AuditActor,
  type AuditEntry,
  type AuditSubject,
  createSubjectNames,
  resultOf,
  singular,
} from './audit-entry.ts'
import { createAuditLog, recordAround } from './audit-log.ts'
import { auditRecordJson, createAuditQueries, exportAuditRecords } from './audit-records.ts'
import { type AuditHead, createAuditStore } from './audit-store.ts'
import { verifyAuditLog } from './verify-audit-log.ts'

/** Records that `audit list` prints unless `--limit` says otherwise. */
const DEFAULT_LIMIT = 50
const MAX_LIMIT = 10_000

/** Commands that read the audit log. `write` receives an export piece by piece. */
export function auditCommands(
  database: Database<OperatorTables>,
  write: (text: string) => Promise<void>,
  now: () => number,
): Command[] {
  const queries = createAuditQueries(database.db)
  const store = createAuditStore(database.db)
  const search = (since: string | undefined) => ({ fromMs: since === undefined ? undefined : timeOf(since, now()) })

  return [
    {
      usage: 'audit list [--since 7d] [--limit 50]',
      doc: 'Lists the newest records of the audit log.',
      isReadOnly: true,
      async run(_args, { since, limit }) {
        const rows = await queries.search(search(since), { before: undefined, limit: limitOf(limit) })
        return rows.map(auditRecordJson)
      },
    },
    {
      usage: 'audit export [--since 7d] [--format jsonl]',
      doc: 'Prints the audit log, the newest first, as JSON Lines or CSV.',
      async run(_args, { since, format = 'jsonl' }) {
        if (format !== 'jsonl' && format !== 'csv') throw new UsageError('--format must be jsonl or csv')
        for await (const piece of exportAuditRecords(queries, search(since), format)) await write(piece)
        return undefined
      },
    },
    {
      usage: 'audit verify [--head 42:9f86d081…]',
      doc: 'Checks that no record was changed or removed, with exit status 1 if one was. Prints the head to keep elsewhere.',
      isReadOnly: true,
      async run(_args, { head }) {
        const report = await verifyAuditLog(store, head === undefined ? undefined : headOf(head))
        if (report.fault !== null) process.exitCode = 1
        return report
      },
    },
  ]
}

/** Reads a time, or how long ago it was. */
function timeOf(text: string, nowMs: number): number {
  const durationMs = readDuration(text)
  if (durationMs !== undefined) return nowMs - durationMs
  const time = parseDateTime(text) ?? parseDateTime(`${text}T00:00:00Z`)
  if (time === undefined)
    throw new UsageError('--since must be a length of time such as 7d, or a time such as 2026-05-03T06:15:00Z')
  return time.timeMs
}

function limitOf(text: string | undefined): number {
  const limit = text === undefined ? DEFAULT_LIMIT : readDecimal(text)
  if (limit === undefined || !Number.isInteger(limit) || limit < 1 || limit > MAX_LIMIT)
    throw new UsageError(`--limit must be a whole number from 1 to ${MAX_LIMIT}`)
  return limit
}

function headOf(text: string): AuditHead {
  const [, position, hash] = /^(\d{1,15}):([0-9a-f]{64})$/.exec(text) ?? []
  if (hash === undefined) throw new UsageError('--head must be what audit verify printed before')
  return { position: Number(position), hash }
}

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
    const entry = await entryOf({ ...typed, user: systemUser(sudoUser), host: hostname() })
    return await recordAround(audit, entry, run, resultOf)
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
