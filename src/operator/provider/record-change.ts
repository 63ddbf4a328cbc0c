import type { FastifyRequest } from 'fastify'
import type { AuditLog } from '../audit/audit-log.ts'
import type { ProviderChange } from '../storage/provider-changes.ts'

/** Actions in the audit log for what the provider does, whoever's request brings it. */
const ACTIONS: Record<ProviderChange['kind'] | 'sign out', string> = {
  create: 'createOperatorByProvider',
  update: 'updateOperatorByProvider',
  suspend: 'suspendOperatorByProvider',
  'sign out': 'endSessionsByProvider',
}

type Subject = { id: string | null; name: string | null }

type Recorded = { kind: keyof typeof ACTIONS; subject: Subject; details?: Record<string, unknown> }

/**
 * Runs what the provider changes, with a record before it and its outcome after it.
 * @throws auditUnavailable if the record cannot be written; then nothing is changed
 */
export async function recordByProvider<Result>(
  { ip, id }: FastifyRequest,
  audit: AuditLog,
  { kind, subject, details }: Recorded,
  run: () => Promise<Result>,
): Promise<Result> {
  const position = await audit.begin({
    source: 'server',
    action: ACTIONS[kind],
    actor: { id: null, name: null },
    subject: { kind: 'operator', ...subject },
    address: ip,
    requestId: id,
    details: details ?? {},
  })
  try {
    const result = await run()
    audit.end(position, { outcome: 'succeeded' })
    return result
  } catch (error) {
    audit.end(position, { outcome: 'failed' })
    throw error
  }
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
