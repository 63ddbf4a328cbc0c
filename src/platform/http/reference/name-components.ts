import { isDeepStrictEqual } from 'node:util'
import { exampleOf } from './example.ts'
import { type Document, isObject, type JsonObject, mapObjects } from './open-api-types.ts'
import type { Schema } from './schema.ts'

const METHODS = ['get', 'post', 'put', 'patch', 'delete'] as const
const JSON_TYPE = 'application/json'
const PROBLEM_TYPE = 'application/problem+json'

type PathItems = Record<string, JsonObject>
type Responses = Record<string, JsonObject>
type Operation = JsonObject & { operationId: string; tags?: string[]; requestBody?: JsonObject; responses: Responses }

/**
 * Moves what operations share into `components`, so that a generated client has one type for each: every schema with a
 * `title` becomes `components.schemas[title]`, every error answer becomes an entry of `components.responses`. Adds an
 * example to each JSON body.
 * Throws where two different schemas have the same title.
 */
export function nameComponents(document: Document): Document {
  // As JSON, which leaves out field rules: their values are functions.
  const copy = JSON.parse(JSON.stringify(document)) as JsonObject & { paths: PathItems; webhooks?: PathItems }
  const operations = operationsIn(copy.paths)
  for (const operation of [...operations, ...operationsIn(copy.webhooks ?? {})]) addExamples(operation)
  const responses = nameErrors(operations)
  const components = (copy.components ?? {}) as JsonObject
  const schemas: JsonObject = {}
  nameSchemas(components.schemas ?? {}, schemas)
  copy.paths = nameSchemas(copy.paths, schemas) as PathItems
  if (copy.webhooks !== undefined) copy.webhooks = nameSchemas(copy.webhooks, schemas) as PathItems
  copy.components = {
    ...components,
    schemas: sorted(schemas),
    responses: sorted(nameSchemas(responses, schemas) as JsonObject),
  }
  return copy as unknown as Document
}

function operationsIn(items: PathItems): Operation[] {
  return Object.values(items).flatMap((item) =>
    METHODS.flatMap((method) => (isObject(item[method]) ? [item[method] as Operation] : [])),
  )
}

function addExamples({ requestBody, responses }: Operation): void {
  const successes = Object.entries(responses).filter(([status]) => status.startsWith('2'))
  for (const body of [requestBody, ...successes.map(([, response]) => response)]) {
    const media = (body?.content as Record<string, JsonObject> | undefined)?.[JSON_TYPE]
    if (media?.schema === undefined) continue
    media.example ??= exampleOf(media.schema as Schema)
  }
}

/** Replaces the error responses of operations by references, and returns the responses by name. */
function nameErrors(operations: readonly Operation[]): JsonObject {
  const named: JsonObject = {}
  const uses = new Map<string, number>()
  for (const { responses } of operations)
    for (const response of errorsOf(responses)) uses.set(key(response), (uses.get(key(response)) ?? 0) + 1)
  for (const operation of operations) {
    for (const [status, response] of Object.entries(operation.responses)) {
      if (!isError(response)) continue
      const name = nameOf(response, operation, (uses.get(key(response)) ?? 0) > 1, named)
      named[name] = response
      operation.responses[status] = { $ref: `#/components/responses/${name}` }
    }
  }
  return named
}

/**
 * Chooses the name of an error response: `NotFound` for the first response with that code that several operations
 * share, `TracksNotFound` for other shared ones, `SyncTrackConflict` for that of a single operation.
 */
function nameOf(response: JsonObject, operation: Operation, isShared: boolean, named: JsonObject): string {
  const problem = (response.content as Record<string, JsonObject>)[PROBLEM_TYPE]
  const code = pascal((problem['x-codes'] as string[]).join('_'))
  const own = pascalId(operation.operationId) + code
  const candidates = isShared ? [code, pascalWords(operation.tags?.[0] ?? '') + code, own] : [own]
  const name = candidates.find(
    (candidate) => named[candidate] === undefined || isDeepStrictEqual(named[candidate], response),
  )
  if (name === undefined) throw new Error(`no name is left for the ${code} of ${operation.operationId}`)
  return name
}

function errorsOf(responses: Responses): JsonObject[] {
  return Object.values(responses).filter(isError)
}

function isError({ content }: JsonObject): boolean {
  return isObject(content) && content[PROBLEM_TYPE] !== undefined
}

function key(response: JsonObject): string {
  return JSON.stringify(response)
}

/** Collects titled schemas into `schemas` and leaves references to them. */
function nameSchemas(value: unknown, schemas: JsonObject): unknown {
  return mapObjects(value, (object) => {
    const { title, type } = object
    if (typeof title !== 'string') return object
    const reference = { $ref: `#/components/schemas/${title}` }
    const isNullable = Array.isArray(type) && type.includes('null')
    const schema = isNullable ? withoutNull(object) : object
    if (schemas[title] !== undefined && !isDeepStrictEqual(schemas[title], schema))
      throw new Error(`two different schemas have the title ${title}`)
    schemas[title] = schema
    return isNullable ? { anyOf: [reference, { type: 'null' }] } : reference
  })
}

/** Removes null from the named schema; the reference to it allows null instead. */
function withoutNull({ examples, ...schema }: JsonObject): JsonObject {
  const type = (schema.type as string[]).find((name) => name !== 'null')
  const values = Array.isArray(examples) ? examples.filter((value) => value !== null) : []
  return { ...schema, type, ...(values.length === 0 ? {} : { examples: values }) }
}

function sorted(object: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(object).sort(([a], [b]) => (a < b ? -1 : 1)))
}

function pascal(code: string): string {
  return code
    .toLowerCase()
    .split('_')
    .map((word) => pascalId(word))
    .join('')
}

function pascalId(id: string): string {
  return id.charAt(0).toUpperCase() + id.slice(1)
}

/** Names are part of references, which have no spaces. */
function pascalWords(words: string): string {
  return words.split(' ').map(pascalId).join('')
}
