import { randomUUID } from 'node:crypto'
import { STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify'
import {
  AppError,
  badRequest,
  conflict,
  type ErrorDefinition,
  type FieldError,
  gone,
  internalError,
  invalidFields,
  notFound,
  payloadTooLarge,
  rateLimited,
  unavailable,
  unprocessable,
  unsupportedMediaType,
} from '../basics/errors.ts'
import { bodyTooSlow } from './body-limits.ts'
import { type HttpServer, SERVICE_HEADER } from './http-server.ts'

/** One failed rule, as Ajv reports it. */
type SchemaError = { instancePath: string; keyword: string; params: Record<string, unknown>; message?: string }

/** An RFC 9457 problem document. `code` is for programs, `detail` for people. */
export type Problem = {
  type: string
  title: string
  status: number
  code: string
  detail: string
  request_id: string
  errors?: { path: string; message: string }[]
}

const PROBLEM_TYPE = 'application/problem+json; charset=utf-8'

/** Statuses of protocols that Node.js does not know: tus 1.0.0 has one for a wrong checksum. */
const FURTHER_TITLES: Record<number, string> = { 460: 'Checksum Mismatch' }

/** Returns the name of a status. */
export function statusTitle(status: number): string {
  return STATUS_CODES[status] ?? FURTHER_TITLES[status] ?? 'Error'
}

/** Returns the document for an error, in an order that is easy to read. */
function problemOf(error: AppError, requestId: string): Problem {
  const { errors, members } = error.options
  return {
    type: 'about:blank',
    title: statusTitle(error.status),
    status: error.status,
    code: error.code,
    detail: error.message,
    request_id: requestId,
    ...(errors === undefined ? {} : { errors }),
    ...members,
  }
}

/** Answers a request with an error. No other place turns a failure into a response. */
export function sendProblem(thrown: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const error = toAppError(thrown)
  reply.problemCode = error.code
  if (error.status >= 500) logFailure(error, request)
  return reply
    .code(error.status)
    .headers(error.headers)
    .header('cache-control', 'no-store')
    .type(PROBLEM_TYPE)
    .serializer(JSON.stringify)
    .send(problemOf(error, request.id))
}

/** Logs an error, or only a warning if nothing failed, such as for a page that is still being rendered. */
function logFailure(error: AppError, request: FastifyRequest): void {
  const route = request.routeOptions.url ?? 'unknown'
  const message = error.code === 'INTERNAL' ? 'request failed' : error.message
  const hasFailed = error.status !== 503 || error.cause !== undefined
  if (hasFailed) request.log.error({ err: error.cause ?? error, route }, message)
  else request.log.warn({ route }, message)
}

/** Keeps our errors, translates the framework's, and turns any other into a plain 500 whose cause is only logged. */
export function toAppError(thrown: unknown): AppError {
  if (thrown instanceof AppError) return thrown
  const error = thrown as FastifyError
  if (error.validation !== undefined) return invalidFields(schemaErrors(error.validation as SchemaError[]))
  const known = FRAMEWORK_ERRORS[error.code]
  if (known !== undefined) return known(error)
  return internalError({ cause: thrown })
}

const FRAMEWORK_ERRORS: Record<string, (cause: FastifyError) => AppError> = {
  FST_ERR_CTP_INVALID_MEDIA_TYPE: (cause) =>
    unsupportedMediaType({ cause, detail: 'Content-Type must be application/json.' }),
  FST_ERR_CTP_BODY_TOO_LARGE: (cause) => payloadTooLarge({ cause }),
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: (cause) =>
    badRequest({ cause, detail: 'Content-Length does not match the body.' }),
  FST_ERR_BAD_URL: (cause) => notFound({ cause }),
  FST_ERR_MAX_PARAM_LENGTH: (cause) => notFound({ cause }),
  FST_ERR_ASYNC_CONSTRAINT: (cause) => notFound({ cause }),
  FST_ERR_NOT_FOUND: (cause) => notFound({ cause }),
}

/** Turns the errors of a schema validator into field errors. */
export function schemaErrors(found: readonly SchemaError[]): FieldError[] {
  return found.map(({ instancePath, keyword, params, message }) => {
    const missing = keyword === 'required' ? String(params.missingProperty) : undefined
    const place = [...instancePath.split('/').slice(1), ...(missing === undefined ? [] : [missing])].map(
      unescapePointer,
    )
    return { path: place.join('/'), message: missing === undefined ? wording(keyword, params, message) : 'is required' }
  })
}

function wording(keyword: string, params: Record<string, unknown>, message: string | undefined): string {
  if (keyword === 'enum')
    return `must be one of ${(params.allowedValues as unknown[]).filter((value) => value !== null).join(', ')}`
  if (keyword === 'type') return `must be ${[params.type].flat().map(named).join(' or ')}`
  if (keyword === 'format') return FORMAT_WORDING[String(params.format)] ?? `must be a valid ${params.format}`
  return message ?? 'is not valid'
}

/** Names a JSON type in a sentence: `an object`, but `string`, as developers know it. */
function named(type: unknown): string {
  return type === 'object' || type === 'array' ? `an ${type}` : String(type)
}

const FORMAT_WORDING: Record<string, string> = {
  'date-time': 'must be an RFC 3339 date-time with date and time',
  uri: 'must be an http or https address',
}

/** Decodes `~1` and `~0` of a JSON pointer (RFC 6901, 4). */
function unescapePointer(part: string): string {
  return part.replaceAll('~1', '/').replaceAll('~0', '~')
}

/** Answers a connection on which there is no request yet, and ends it. */
export function endWithProblem(socket: Socket, error: AppError): void {
  const problem = problemOf(error, randomUUID())
  const body = JSON.stringify(problem)
  const headers = {
    'Content-Type': PROBLEM_TYPE,
    'Content-Length': Buffer.byteLength(body),
    'X-Request-Id': problem.request_id,
    [SERVICE_HEADER.name]: SERVICE_HEADER.value,
    Connection: 'close',
    ...error.headers,
  }
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`)
  socket.end(`${[`HTTP/1.1 ${problem.status} ${problem.title}`, ...lines].join('\r\n')}\r\n\r\n${body}`)
}

/** An error in the description of an operation. `message` says when it is returned. */
type DescribedProblem = Pick<ErrorDefinition, 'code' | 'status' | 'message'>

declare module 'fastify' {
  interface FastifySchema {
    /** Errors of the operation itself, in addition to errors of its body, its token and any request. */
    problems?: readonly DescribedProblem[]
    /** Set if the operation accepts an Idempotency-Key. */
    idempotent?: boolean
    /** Preferences of a `Prefer` header that the operation knows. */
    preferences?: readonly string[]
    /** The permission that the token of the request needs; see `requirePermissions`. */
    permission?: string
  }
}

const IDEMPOTENCY_PROBLEMS: readonly DescribedProblem[] = [
  { ...said(conflict), message: 'Another request with this Idempotency-Key is under way.' },
  { ...said(gone), message: 'The request with this Idempotency-Key created what is deleted by now.' },
  { ...said(unprocessable), message: 'This Idempotency-Key was used with another body.' },
]

/**
 * Describes in the API description that the routes of this scope require a token, with which permission, and the errors
 * without one.
 */
export function describeAsSecured(app: HttpServer, problems: readonly DescribedProblem[]): void {
  app.addHook('onRoute', (route) => {
    route.schema = {
      ...route.schema,
      // A route whose address carries the token says so itself.
      security: route.schema?.security ?? tokenSecurity(route.schema?.permission),
      problems: [...problems, rateLimited, ...(route.schema?.problems ?? [])],
    }
  })
}

/** The ways to send a token. OpenAPI 3.1 names roles of any scheme where OAuth has its scopes. */
export function tokenSecurity(permission?: string): Record<string, string[]>[] {
  const roles = permission === undefined ? [] : [permission]
  return [{ ApiKey: roles }, { Bearer: roles }]
}

type DescribedSchema = {
  body?: unknown
  querystring?: unknown
  problems?: readonly DescribedProblem[]
  idempotent?: boolean
}

/** Returns all errors of an operation with this schema, sorted by status. */
export function problemsOf({ body, querystring, problems = [], idempotent }: DescribedSchema): DescribedProblem[] {
  const ofInput = body === undefined && querystring === undefined ? [] : [badRequest]
  const ofBody = body === undefined ? [] : [bodyTooSlow, payloadTooLarge, unsupportedMediaType]
  const ofKey = idempotent === true ? IDEMPOTENCY_PROBLEMS : []
  const all = [...problems, ...ofInput, ...ofBody, ...ofKey, internalError, unavailable]
  return all.map(said).sort((a, b) => a.status - b.status)
}

/** Returns problems as OpenAPI responses by status. Problems of one status share an entry that names all of them. */
export function problemResponses(problems: readonly DescribedProblem[]): Record<string, object> {
  const byStatus = Object.groupBy(problems, ({ status }) => status)
  return Object.fromEntries(
    Object.entries(byStatus).map(([status, group = []]) => [
      status,
      {
        description: [...new Set(group.map(({ message }) => message))].join(' Or: '),
        content: {
          'application/problem+json': {
            schema: PROBLEM_REFERENCE,
            example: exampleProblem(group[0]),
            'x-codes': [...new Set(group.map(({ code }) => code))],
          },
        },
      },
    ]),
  )
}

const PROBLEM_REFERENCE = { $ref: '#/components/schemas/Problem' }

function exampleProblem({ code, status, message }: DescribedProblem): Problem {
  return {
    type: 'about:blank',
    title: statusTitle(status),
    status,
    code,
    detail: message,
    request_id: 'b3f0c0de-54a7-4a53-9a4e-8d1f0c9f2c11',
  }
}

/** Returns the definition without its function. */
function said({ code, status, message }: DescribedProblem): DescribedProblem {
  return { code, status, message }
}
