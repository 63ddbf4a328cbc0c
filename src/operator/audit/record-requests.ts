import type { FastifyReply, FastifyRequest } from 'fastify'
import type { HttpServer } from '#platform/http/http-server.ts'
import type { OperatorRule } from '#platform/http/operators/operator-rule.ts'
import { auditUnavailable } from '../errors.ts'
import type { OpenSession } from '../storage/sessions-store.ts'
import { type AuditOutcome, type AuditSource, type AuditSubject, outcomeOf, resultOf } from './audit-entry.ts'
import type { AuditLog } from './audit-log.ts'
import { hasFields, recordedChanges, recordedLosses, recordedValues } from './recorded-changes.ts'
import type { SubjectNames } from './subject-names.ts'
import { partOfRoute, subjectOfRoute } from './subject-of-route.ts'

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
 * Records every request of this scope that changes or exports something: before its handler runs, and
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

/** The sender of a request: an operator, with the session, or the holder of a token, with its event or workspace. */
type Requester = { operator_id: string; operator_name: string | null; id?: string } & {
  source?: AuditSource
  within?: Pick<AuditSubject, 'kind' | 'id'> | undefined
}

/**
 * Writes the record of a request, once. The change must not begin before this resolves.
 * @throws auditUnavailable if the record cannot be written
 */
export async function beginRecord(
  request: FastifyRequest,
  { audit, subjectNames }: Pick<AuditDeps, 'audit'> & Partial<AuditDeps>,
  who: Requester,
): Promise<void> {
  if (request.auditRecord !== undefined) return
  const { subject, within = who.within } = subjectOfRoute(patternOf(request), request.params as Record<string, string>)
  const names = await Promise.all([
    subjectNames?.find(subject.kind, subject.id, within?.id),
    within === undefined ? null : subjectNames?.find(within.kind, within.id, undefined),
  ])
  const changes = await changesOf(request, subject, within, subjectNames)
  const position = await audit.begin({
    source: who.source ?? 'dashboard',
    action: actionOf(request),
    actor: { id: who.operator_id, name: who.operator_name },
    subject: { ...subject, name: names[0] ?? givenName(request.body) },
    within: within === undefined ? undefined : { ...within, name: names[1] ?? null },
    address: request.ip,
    sessionId: who.id,
    browser: request.headers['user-agent'] ?? '',
    requestId: request.id,
    details: { ...fieldsOf(request.body), ...changes },
  })
  request.auditRecord = { position, hasEnded: false }
}

type NamedThing = Pick<AuditSubject, 'kind' | 'id'>

/**
 * Returns the values before and after a request. What is created in a thing has other values than the thing, and those
 * in a file are known to its reader alone.
 */
async function changesOf(
  request: FastifyRequest,
  subject: NamedThing,
  within: NamedThing | undefined,
  subjectNames: SubjectNames | undefined,
) {
  const { method, body } = request
  const { kind } = subject
  const before = method === 'POST' ? undefined : await valuesBefore(request, subject, within, subjectNames)
  if (ArrayBuffer.isView(body)) return unlessEmpty('before', recordedValues(kind, before))
  return unlessEmpty(
    'changes',
    method === 'DELETE' ? recordedLosses(kind, before) : recordedChanges(kind, body, before),
  )
}

/** Returns the values of a thing, or of the part of it that a route changes, such as the course of an event. */
async function valuesBefore(
  request: FastifyRequest,
  { kind, id }: NamedThing,
  within: NamedThing | undefined,
  subjectNames: SubjectNames | undefined,
) {
  const part = partOfRoute(patternOf(request))
  const ofPart = part === undefined ? undefined : await subjectNames?.valuesOf(`${kind} ${part}`, id, within?.id)
  // A thing does not go with a part of it.
  if (ofPart !== undefined || (part !== undefined && request.method === 'DELETE')) return ofPart
  return await subjectNames?.valuesOf(kind, id, within?.id)
}

function unlessEmpty(name: string, values: object): Record<string, object> {
  return Object.keys(values).length === 0 ? {} : { [name]: values }
}

/** Adds the outcome to the record of each request that has one, when the answer is known. */
export function followOutcomes(app: HttpServer, { audit }: Pick<AuditDeps, 'audit'>): void {
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
    if (methods.every((method) => SAFE_METHODS.has(method)) && !mayExport(route.config?.operator)) return
    route.schema = { ...route.schema, problems: [auditUnavailable, ...(route.schema?.problems ?? [])] }
  })
}

function mayExport({ effect, also = [] }: Partial<OperatorRule> = {}): boolean {
  return effect === 'exports' || also.includes('exports')
}

function isRecorded({ method, routeOptions }: FastifyRequest): boolean {
  return !SAFE_METHODS.has(method) || (method === 'GET' && routeOptions.config.operator?.effect === 'exports')
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

/** Returns the names of the fields that were sent, whose values may be secret, or the size of a file. */
function fieldsOf(body: unknown): Record<string, unknown> {
  if (ArrayBuffer.isView(body)) return { file_bytes: body.byteLength }
  if (!hasFields(body)) return {}
  const names = Object.keys(body).slice(0, MAX_FIELDS)
  const fields = names.map((name) => name.slice(0, MAX_FIELD_LENGTH))
  return fields.length === 0 ? {} : { fields }
}
