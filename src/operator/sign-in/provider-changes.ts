import { randomUUID } from 'node:crypto'
import type { FastifyRequest } from 'fastify'
import type { Kysely } from 'kysely'
import type { OperatorRole } from '#platform/credentials/operator-access.ts'
import { type AuditLog, recordAround } from '../audit/audit-log.ts'
import { isLastOwner } from '../model/provider-accounts.ts'
import { MAX_NAME_LENGTH, operatorNameKey } from '../model/sign-in-rules.ts'
import type { OperatorRow, OperatorTables } from '../model/tables.ts'

/** A person at a provider. */
export type Person = { issuer: string; subject: string; name: string; role: OperatorRole | undefined }

/** A change that the provider makes to an account. */
export type ProviderChange = {
  kind: 'create' | 'update' | 'suspend'
  /** Undefined for a new account. */
  operator: OperatorRow | undefined
  before: { role: OperatorRole; is_suspended: boolean } | undefined
  after: { role: OperatorRole; is_suspended: boolean }
}

/** Returns the operator who is a person; undefined for somebody new. */
export async function findOperator(
  db: Kysely<OperatorTables>,
  { issuer, subject }: Person,
): Promise<OperatorRow | undefined> {
  return await db
    .selectFrom('identities')
    .innerJoin('operators', 'operators.id', 'identities.operator_id')
    .selectAll('operators')
    .where('issuer', '=', issuer)
    .where('subject', '=', subject)
    .executeTakeFirst()
}

/**
 * Returns the changes that the groups of a person make: the last owner who can sign in here keeps the role, and the
 * account. Undefined without a change.
 */
export async function decideChange(
  db: Kysely<OperatorTables>,
  { role }: Person,
  known: OperatorRow | undefined,
  issuersWithoutCredentials: readonly string[],
): Promise<ProviderChange | undefined> {
  if (known === undefined)
    return role && { kind: 'create', operator: undefined, before: undefined, after: { role, is_suspended: false } }
  const isSuspended = known.suspended_at !== null
  const before = { role: known.role, is_suspended: isSuspended }
  const isChanged = role === undefined ? !isSuspended : isSuspended || role !== known.role
  if (!isChanged) return undefined
  if (role !== 'owner' && (await isLastOwner(db, known.id, issuersWithoutCredentials))) return undefined
  if (role === undefined)
    return { kind: 'suspend', operator: known, before, after: { role: known.role, is_suspended: true } }
  return { kind: 'update', operator: known, before, after: { role, is_suspended: false } }
}

/** Changes an account, and ends the sessions and links of one that is suspended. */
export async function changeAccount(
  transaction: Kysely<OperatorTables>,
  { operator, after }: ProviderChange,
  nowMs: number,
): Promise<void> {
  const { id } = operator!
  // The limits stay, even for an owner, to whom they do not apply: after a day as owner, they are there again.
  const changes = { role: after.role, suspended_at: after.is_suspended ? nowMs : null }
  await transaction.updateTable('operators').set(changes).where('id', '=', id).execute()
  if (!after.is_suspended) return
  await transaction.deleteFrom('sessions').where('operator_id', '=', id).execute()
  await transaction.deleteFrom('sign_in_links').where('operator_id', '=', id).execute()
}

/** Makes the account of a person. It reaches everything, or nothing until an owner says what. */
export async function addOperator(
  transaction: Kysely<OperatorTables>,
  { issuer, subject, name: wanted }: Person,
  { role, reachesEverything, nowMs }: { role: OperatorRole; reachesEverything: boolean; nowMs: number },
): Promise<OperatorRow> {
  const name = await freeName(transaction, wanted)
  const operator: OperatorRow = {
    id: randomUUID(),
    name,
    name_key: operatorNameKey(name),
    password_hash: null,
    created_at: nowMs,
    last_sign_in_at: null,
    role,
    is_limited: reachesEverything ? 0 : 1,
    suspended_at: null,
  }
  await transaction.insertInto('operators').values(operator).execute()
  await transaction
    .insertInto('identities')
    .values({ issuer, subject, operator_id: operator.id, created_at: nowMs })
    .execute()
  return operator
}

/** Room for a number behind the name. */
const LONGEST_GIVEN_NAME = MAX_NAME_LENGTH - 10

/** Returns the name, with a number if another operator has it: the name is for people and proves nothing. */
async function freeName(transaction: Kysely<OperatorTables>, wanted: string): Promise<string> {
  const clean = wanted.replace(/[\p{Cc}\u2028\u2029]+/gu, ' ').trim()
  const name = [...clean].slice(0, LONGEST_GIVEN_NAME).join('').trim() || 'Operator'
  for (let number = 1; ; number++) {
    const candidate = number === 1 ? name : `${name} ${number}`
    const taken = await transaction
      .selectFrom('operators')
      .select('id')
      .where('name_key', '=', operatorNameKey(candidate))
      .executeTakeFirst()
    if (taken === undefined) return candidate
  }
}

/** Actions in the audit log for changes by the provider, in any request. */
const ACTIONS: Record<ProviderChange['kind'] | 'sign out', string> = {
  create: 'createOperatorByProvider',
  update: 'updateOperatorByProvider',
  suspend: 'suspendOperatorByProvider',
  'sign out': 'endSessionsByProvider',
}

type Subject = { id: string | null; name: string | null }

type Recorded = { kind: keyof typeof ACTIONS; subject: Subject; details?: Record<string, unknown> }

/**
 * Runs a change by the provider, with a record before it and its outcome after it.
 * @throws auditUnavailable if the record cannot be written; then nothing is changed
 */
export async function recordByProvider<Result>(
  { ip, id }: FastifyRequest,
  audit: AuditLog,
  { kind, subject, details = {} }: Recorded,
  run: () => Promise<Result>,
): Promise<Result> {
  const entry = {
    source: 'server',
    action: ACTIONS[kind],
    actor: { id: null, name: null },
    subject: { kind: 'operator', ...subject },
    address: ip,
    requestId: id,
    details,
  } as const
  return await recordAround(audit, entry, run)
}

/** Runs a sign-in or a confirmation, with a record if it changes the account. */
export async function recordChange<Result>(
  request: FastifyRequest,
  audit: AuditLog,
  { change, person }: { change: ProviderChange | undefined; person: { name: string; issuer: string } },
  run: () => Promise<Result>,
): Promise<Result> {
  if (change === undefined) return await run()
  const { kind, operator, before, after } = change
  const subject = { id: operator?.id ?? null, name: operator?.name ?? person.name }
  const details = { issuer: person.issuer, ...(before === undefined ? {} : { before }), after }
  return await recordByProvider(request, audit, { kind, subject, details }, run)
}
