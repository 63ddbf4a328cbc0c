import {
  badRequest,
  conflict,
  type ErrorDefinition,
  gone,
  internalError,
  payloadTooLarge,
  rateLimited,
  unavailable,
  unprocessable,
  unsupportedMediaType,
} from '../basics/errors.ts'
import { bodyTooSlow } from './body-limits.ts'
import type { HttpServer } from './http-server.ts'
import { type Problem, statusTitle } from './problem.ts'

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
