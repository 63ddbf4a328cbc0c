import type { FastifyReply, FastifyRequest } from 'fastify'
import type { HttpServer } from '#platform/http/http-server.ts'
import { auditUnavailable } from '../errors.ts'
import type { OpenSession } from '../storage/sessions-store.ts'
import { type AuditOutcome, outcomeOf, resultOf } from './audit-entry.ts'
import type { AuditLog } from './audit-log.ts'
import type { SubjectNames } from './subject-names.ts'
import { subjectOfRoute } from './subject-of-route.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** The record of this request in the audit log; undefined while there is none. */
    auditRecord: { position: number; result?: AuditOutcome['result']; hasEnded: boolean } | undefined
  }
}

export type AuditDeps = { audit: AuditLog; subjectNames: SubjectNames }

const SAFE_METHODS = new Set(['GET', 'HEAD', 'OPTIONS'])
/** Names of fields in a body that a record lists. */
const MAX_FIELDS = 30
const MAX_FIELD_LENGTH = 50

/**
 * Records every request of this scope that changes something or shows a secret: before its handler runs, and
 * again when it has answered. A route cannot opt out. Requests that are refused before their handler, such as
 * without the right to them, are counted instead.
 */
export function recordRequests(app: HttpServer, deps: AuditDeps): void {
  describeAsRecorded(app)
  followOutcomes(app, deps)
  app.addHook('preHandler', async (request) => {
    if (isRecorded(request)) await beginRecord(request, deps, request.operatorSession)
  })
  app.addHook('onSend', (request, { statusCode: status }, payload, done) => {
    if (request.auditRecord === undefined && isRecorded(request) && isTelling(request, status)) {
      const session = sessionOf(request)
      const actor = { id: session?.operator_id ?? null, name: session?.operator_name ?? null }
      const { subject } = subjectOfRoute(patternOf(request), request.params as Record<string, string>)
      deps.audit.refuse({ ...refusalOf(request, status), actor, subject: { ...subject, name: null } })
    }
    done(null, payload)
  })
}

/**
 * Records sign-ins and what else a scope without a session does: routes call `beginRecord` when they know the operator,
 * before they change anything. What they refuse is counted.
 */
export function recordStrangers(app: HttpServer, { audit, findRefused }: Pick<AuditDeps, 'audit'> & FindRefused): void {
  describeAsRecorded(app)
  followOutcomes(app, { audit })
  app.addHook('onSend', async (request, { statusCode: status }, payload) => {
    if (request.auditRecord !== undefined || !REFUSALS_OF_STRANGERS.has(status)) return payload
    const found = await findRefused(request).catch(() => undefined)
    audit.refuse({ ...refusalOf(request, status), ...found })
    return payload
  })
}

/** Finds whom a refused request was about, such as the operator whose password was wrong. */
export type FindRefused = {
  findRefused(
    request: FastifyRequest,
  ): Promise<{ subject?: { kind: string; id: string; name: string }; sha256?: string }>
}

/** Statuses with which a secret, a link or another site is refused. The others say nothing about who asks. */
const REFUSALS_OF_STRANGERS = new Set([401, 403, 410, 429])

/**
 * Writes the record of a request, once. The change must not begin before this resolves.
 * @throws auditUnavailable if the record cannot be written
 */
export async function beginRecord(
  request: FastifyRequest,
  { audit, subjectNames }: Pick<AuditDeps, 'audit'> & Partial<AuditDeps>,
  who: Pick<OpenSession, 'operator_id' | 'operator_name'> & { id?: string },
): Promise<void> {
  if (request.auditRecord !== undefined) return
  const { subject, within } = subjectOfRoute(patternOf(request), request.params as Record<string, string>)
  const names = await Promise.all([
    subjectNames?.find(subject.kind, subject.id, within?.id),
    within === undefined ? null : subjectNames?.find(within.kind, within.id, undefined),
  ])
  const position = await audit.begin({
    source: 'dashboard',
    action: actionOf(request),
    actor: { id: who.operator_id, name: who.operator_name },
    subject: { ...subject, name: names[0] ?? givenName(request.body) },
    within: within === undefined ? undefined : { ...within, name: names[1] ?? null },
    address: request.ip,
    sessionId: who.id,
    browser: request.headers['user-agent'] ?? '',
    requestId: request.id,
    details: fieldsOf(request.body),
  })
  request.auditRecord = { position, hasEnded: false }
}

/** Adds the outcome to the record of each request that has one, when the answer is known. */
function followOutcomes(app: HttpServer, { audit }: Pick<AuditDeps, 'audit'>): void {
  if (!app.hasRequestDecorator('auditRecord')) app.decorateRequest('auditRecord', undefined)
  app.addHook('preSerialization', (request, _reply, payload, done) => {
    if (request.auditRecord !== undefined) request.auditRecord.result = resultOf(payload)
    done(null, payload)
  })
  app.addHook('onSend', (request, reply, payload, done) => {
    settle(request, reply, audit)
    done(null, payload)
  })
}

function settle({ auditRecord: record }: FastifyRequest, { statusCode: status }: FastifyReply, audit: AuditLog): void {
  if (record === undefined || record.hasEnded) return
  record.hasEnded = true
  // Other answers have an id of their own kind, or that of the subject.
  const result = status === 201 ? record.result : undefined
  audit.end(record.position, { outcome: outcomeOf(status), status, result })
}

/** Names in the API description the error of a change that cannot be recorded. */
function describeAsRecorded(app: HttpServer): void {
  app.addHook('onRoute', (route) => {
    const methods = [route.method].flat()
    if (methods.every((method) => SAFE_METHODS.has(method)) && route.config?.recordsReading !== true) return
    route.schema = { ...route.schema, problems: [auditUnavailable, ...(route.schema?.problems ?? [])] }
  })
}

function isRecorded({ method, routeOptions }: FastifyRequest): boolean {
  return !SAFE_METHODS.has(method) || (method === 'GET' && routeOptions.config.recordsReading === true)
}

/** Tells whether a refusal concerns somebody: an operator, or another site that made the browser send the request. */
function isTelling(request: FastifyRequest, status: number): boolean {
  return status === 403 || (status >= 400 && sessionOf(request) !== undefined)
}

/** Before the guard has found the session, there is none. */
function sessionOf(request: FastifyRequest): OpenSession | undefined {
  return (request.operatorSession as OpenSession | null) ?? undefined
}

function refusalOf(request: FastifyRequest, status: number) {
  return { source: 'dashboard', action: actionOf(request), address: request.ip, status } as const
}

function patternOf({ routeOptions }: FastifyRequest): string {
  return routeOptions.url ?? ''
}

function actionOf({ method, routeOptions }: FastifyRequest): string {
  return routeOptions.schema?.operationId ?? `${method} ${routeOptions.url}`
}

/** Returns the name that a thing is created with. */
function givenName(body: unknown): string | null {
  if (typeof body !== 'object' || body === null) return null
  const { name, title } = body as { name?: unknown; title?: unknown }
  const given = name ?? title
  return typeof given === 'string' ? given : null
}

/** Returns the names of the fields that were sent, without their values, which may be secret. */
function fieldsOf(body: unknown): Record<string, unknown> {
  if (typeof body !== 'object' || body === null || Array.isArray(body) || body instanceof Uint8Array) return {}
  const names = Object.keys(body).slice(0, MAX_FIELDS)
  const fields = names.map((name) => name.slice(0, MAX_FIELD_LENGTH))
  return fields.length === 0 ? {} : { fields }
}
