import type { OpenAPIV3_1 } from 'openapi-types'
import type { Schema } from './schema.ts'

const JSON_TYPE = 'application/json'

type Content = Record<string, OpenAPIV3_1.MediaTypeObject>

/** An operation of the API, as the page shows it. */
export type Operation = {
  id: string
  method: string
  path: string
  tag: string
  summary: string
  description: string
  /** The credentials it needs: a token, a session cookie, or none. */
  security: 'token' | 'session' | undefined
  /** The permission that the token needs. */
  permission: string | undefined
  parameters: Parameter[]
  body: Schema | undefined
  /** The media types of a body that is not JSON but a file. */
  fileTypes: string[]
  answers: Answer[]
  problems: Problem[]
}

export type Parameter = {
  name: string
  place: 'path' | 'query' | 'header'
  isRequired: boolean
  schema: Schema
  example: unknown
}

export type Answer = {
  status: string
  description: string
  schema: Schema | undefined
  /** The media types of an answer that is not JSON. */
  types: string[]
}

export type Problem = { status: string; codes: string[]; description: string }

/** Returns the operations of a description, in its order. */
export function operationsOf(document: OpenAPIV3_1.Document): Operation[] {
  return Object.entries(document.paths ?? {}).flatMap(([path, item]) =>
    Object.entries(item ?? {}).map(([method, operation]) =>
      readOperation(path, method, operation as OpenAPIV3_1.OperationObject),
    ),
  )
}

function readOperation(path: string, method: string, operation: OpenAPIV3_1.OperationObject): Operation {
  const responses = Object.entries(operation.responses ?? {}) as [string, OpenAPIV3_1.ResponseObject][]
  const sent = (operation.requestBody as OpenAPIV3_1.RequestBodyObject | undefined)?.content
  return {
    id: operation.operationId ?? `${method}-${path}`,
    method,
    path,
    tag: operation.tags?.[0] ?? '',
    summary: operation.summary ?? path,
    description: operation.description ?? '',
    security: securityOf(operation.security ?? []),
    permission: operation.security?.flatMap((scheme) => Object.values(scheme).flat())[0],
    parameters: ((operation.parameters ?? []) as OpenAPIV3_1.ParameterObject[]).map(readParameter),
    body: schemaIn(sent, JSON_TYPE),
    fileTypes: typesWithoutJson(sent),
    answers: responses
      .filter(([status]) => !isProblem(status))
      .map(([status, { description, content }]) => ({
        status,
        description,
        schema: schemaIn(content, JSON_TYPE),
        types: typesWithoutJson(content),
      })),
    problems: responses.filter(([status]) => isProblem(status)).map(readProblem),
  }
}

function readParameter(parameter: OpenAPIV3_1.ParameterObject): Parameter {
  return {
    name: parameter.name,
    place: parameter.in as Parameter['place'],
    isRequired: parameter.required === true,
    schema: { ...(parameter.schema as Schema), description: parameter.description },
    example: parameter.example,
  }
}

function readProblem([status, { description, content }]: [string, OpenAPIV3_1.ResponseObject]): Problem {
  const media = content?.['application/problem+json'] as { 'x-codes'?: string[] } | undefined
  return { status, description, codes: media?.['x-codes'] ?? [] }
}

function isProblem(status: string): boolean {
  return Number(status) >= 400
}

function schemaIn(content: Content | undefined, type: string): Schema | undefined {
  return content?.[type]?.schema as Schema | undefined
}

/** Returns the types of a body that can only be sent or read as a file; none if it can be JSON. */
function typesWithoutJson(content: Content = {}): string[] {
  return JSON_TYPE in content ? [] : Object.keys(content)
}

/** Returns the problems that every operation can answer. Repeating them everywhere would hide an operation's own. */
export function commonProblems(operations: readonly Operation[]): Problem[] {
  const [first, ...others] = operations
  if (first === undefined) return []
  return first.problems.filter((problem) => others.every(({ problems }) => includesProblem(problems, problem)))
}

/** Tells whether a list has this problem, with the same description. */
export function includesProblem(problems: readonly Problem[], { status, description }: Problem): boolean {
  return problems.some((other) => other.status === status && other.description === description)
}

function securityOf(schemes: readonly object[]): Operation['security'] {
  if (schemes.length === 0) return undefined
  return schemes.some((scheme) => 'Session' in scheme) ? 'session' : 'token'
}
