import type { FastifyReply, FastifyRequest, onSendHookHandler, preSerializationHookHandler } from 'fastify'
import type { OperatorEffect } from '#platform/credentials/operator-access.ts'
import type { OperatorRule } from '#platform/credentials/operator-rule.ts'
import type { HttpServer } from '#platform/http/http-server.ts'
import { TOKEN_ID_LENGTH } from '#platform/http/request-log.ts'
import { auditUnavailable } from '../model/errors.ts'
import type { OpenSession } from '../model/sessions-store.ts'
import {
  type AuditOutcome,
  type AuditSource,
  type NamedThing,
  outcomeOf,
  partOfRoute,
  resultOf,
  type SubjectNames,
  subjectOfRoute,
} from './audit-entry.ts'
import type { AuditLog } from './audit-log.ts'
import { hasFields, recordedChanges, recordedLosses, recordedValues } from './recorded-changes.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** The record of this request in the audit log; undefined while there is none. */
    auditRecord: { position: number; result?: AuditOutcome['result']; hasEnded: boolean } | undefined
  }
}

/** The log, and the finder of names for its records. */
export type AuditDeps = { audit: AuditLog; subjectNames: SubjectNames }

/** Methods that change nothing. */
export const SAFE_METHODS = new Set(['GET', 'HEAD', 'OPTIONS'])
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
 * Records sign-ins and other requests of a scope without a session: routes call `beginRecord` when they know the
 * operator, before they change anything. Refusals are counted.
 */
export function recordStrangers(app: HttpServer, deps: AuditDeps & FindRefused): void {
  describeAsRecorded(app)
  followOutcomes(app, deps)
  app.addHook('onSend', async (request, { statusCode: status }, payload) => {
    if (request.auditRecord !== undefined || !REFUSALS_OF_STRANGERS.has(status)) return payload
    const found = await deps.findRefused(request).catch(() => undefined)
    deps.audit.refuse({ ...refusalOf(request, status), ...found })
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
  within?: NamedThing | undefined
}

/**
 * Writes the record of a request, once. The change must not begin before this resolves.
 * @throws auditUnavailable if the record cannot be written
 */
export async function beginRecord(
  request: FastifyRequest,
  { audit, subjectNames }: AuditDeps,
  who: Requester,
): Promise<void> {
  if (request.auditRecord !== undefined) return
  const { subject, within = who.within } = subjectOfRoute(patternOf(request), request.params as Record<string, string>)
  const names = await Promise.all([
    subjectNames.find(subject.kind, subject.id, within?.id),
    within === undefined ? null : subjectNames.find(within.kind, within.id, undefined),
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

/**
 * Returns the values before and after a request. A thing created within another has values of its own, and only its
 * reader knows the values in a file.
 */
async function changesOf(
  request: FastifyRequest,
  subject: NamedThing,
  within: NamedThing | undefined,
  subjectNames: SubjectNames,
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
  subjectNames: SubjectNames,
) {
  const part = partOfRoute(patternOf(request))
  const ofPart = part === undefined ? undefined : await subjectNames.valuesOf(`${kind} ${part}`, id, within?.id)
  // A thing does not go with a part of it.
  if (ofPart !== undefined || (part !== undefined && request.method === 'DELETE')) return ofPart
  return await subjectNames.valuesOf(kind, id, within?.id)
}

function unlessEmpty(name: string, values: object): Record<string, object> {
  return Object.keys(values).length === 0 ? {} : { [name]: values }
}

/** Adds the outcome to the record of each request of this scope that has one. */
function followOutcomes(app: HttpServer, deps: AuditDeps): void {
  if (!app.hasRequestDecorator('auditRecord')) app.decorateRequest('auditRecord', undefined)
  const { keepResult, settleOutcome } = outcomeHooks(deps)
  app.addHook('preSerialization', keepResult)
  app.addHook('onSend', settleOutcome)
}

/** Returns the hooks that add the outcome to the record of a request, when the answer is known. */
function outcomeHooks({ audit }: AuditDeps) {
  const keepResult: preSerializationHookHandler = (request, _reply, payload, done) => {
    if (request.auditRecord !== undefined) request.auditRecord.result = resultOf(payload)
    done(null, payload)
  }
  const settleOutcome: onSendHookHandler = (request, reply, payload, done) => {
    settle(request, reply, audit)
    done(null, payload)
  }
  return { keepResult, settleOutcome }
}

function settle({ auditRecord: record }: FastifyRequest, { statusCode: status }: FastifyReply, audit: AuditLog): void {
  if (record === undefined || record.hasEnded) return
  record.hasEnded = true
  // Other answers have an id of their own kind, or the id of the subject.
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
  return isHandedOut(effect) || also.includes('exports')
}

/** Tells whether an effect lets secrets or the data of many leave the server, so that even reading them is recorded. */
function isHandedOut(effect: OperatorEffect | undefined): boolean {
  return effect === 'exports' || effect === 'equips'
}

function isRecorded({ method, routeOptions }: FastifyRequest): boolean {
  return !SAFE_METHODS.has(method) || (method === 'GET' && isHandedOut(routeOptions.config.operator?.effect))
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

/** Kinds of owners of tokens. */
const OWNERS = { event: true, workspace: true }
/** Kinds of tokens by the kind of their owner. */
const KINDS = { event: 'token', workspace: 'key' } as const

/**
 * Records deletions by programs with an app token or an API key, and their use of webhooks, with the name of the token,
 * and the erasures that people ask for, without it. Data that they send or publish is not recorded: its routes have no
 * hook. To be called before any route is added.
 */
export function recordTokenRequests(app: HttpServer, deps: AuditDeps): void {
  app.decorateRequest('auditRecord', undefined)
  app.addHook('onRoute', (route) => {
    const methods = [route.method].flat()
    if (route.schema?.permission === undefined || !methods.some((method) => isOfPrograms(method, route.url))) return
    route.schema = { ...route.schema, problems: [auditUnavailable, ...(route.schema.problems ?? [])] }
    const { keepResult, settleOutcome } = outcomeHooks(deps)
    route.preHandler = [async (request) => recordProgram(request, deps), ...[route.preHandler ?? []].flat()]
    route.preSerialization = [keepResult, ...[route.preSerialization ?? []].flat()]
    route.onSend = [settleOutcome, ...[route.onSend ?? []].flat()]
  })
}

/** Tells whether a request of a program is recorded. */
function isOfPrograms(method: string, url: string): boolean {
  return method === 'DELETE' || ((isOfWebhooks(url) || isOwnErasure(url)) && !SAFE_METHODS.has(method))
}

async function recordProgram(request: FastifyRequest, deps: AuditDeps): Promise<void> {
  const { tokenOwner: owner, tokenHash, method } = request
  if (owner == null || !isOfPrograms(method, patternOf(request))) return
  const id = tokenHash.slice(0, TOKEN_ID_LENGTH)
  // What a person's token is called is the person's name, and is not to be kept.
  const isErasure = isOwnErasure(patternOf(request))
  const name = isErasure ? null : await deps.subjectNames.find(KINDS[owner.kind], id, owner.id)
  // A thing that a program deletes loses its title, too: the record has its id.
  const known =
    method === 'DELETE' && !isOfWebhooks(patternOf(request))
      ? { ...deps, subjectNames: withoutContents(deps.subjectNames) }
      : deps
  await beginRecord(request, known, { operator_id: id, operator_name: name, source: 'api', within: owner })
}

/** Tells whether a person's request asks for the erasure of the person's own data, or takes it back. */
function isOwnErasure(url: string): boolean {
  return url.startsWith('/r/')
}

function isOfWebhooks(url: string): boolean {
  return url.includes('/webhooks')
}

/** Returns names of events and workspaces alone. */
function withoutContents(names: AuditDeps['subjectNames']): AuditDeps['subjectNames'] {
  return {
    ...names,
    find: async (kind, id, within) => (kind in OWNERS ? await names.find(kind, id, within) : null),
    valuesOf: async () => undefined,
  }
}
