import { isDeepStrictEqual } from 'node:util'
import type { OpenAPIV3_1 } from 'openapi-types'
import Type from 'typebox'
import type { HttpServer } from '../http/http-server.ts'
import { sendKept } from '../http/kept-text.ts'
import { isObject } from '../http/parse-json.ts'

/** An OpenAPI 3.1 document as the server builds it. */
export type Document = OpenAPIV3_1.Document

/** One part of the API with a document of its own, such as `/tracks.openapi.json`. */
export type PartDescription = {
  /** Name in the path of the document, `/<name>.openapi.json`. */
  name: string
  title: string
  description: string
  /** The tags whose operations belong to the part. */
  tags: readonly string[]
}

/** An object of the document whose members are visited without knowing their types. */
export type JsonObject = Record<string, unknown>

/** Members that hold values of the API, not parts of its description. */
const VALUES = ['example', 'examples', 'enum', 'default', 'const']

/**
 * Applies a function to every object of a description, innermost first, and returns the changed copy. Examples and
 * other values stay as they are.
 */
export function mapObjects(value: unknown, change: (object: JsonObject) => JsonObject, areNames = false): unknown {
  if (Array.isArray(value)) return value.map((item) => mapObjects(item, change))
  if (!isObject(value)) return value
  const members = Object.entries(value).map(([key, member]) => [
    key,
    VALUES.includes(key) && !areNames ? member : mapObjects(member, change, key === 'properties' && !areNames),
  ])
  const copy = Object.fromEntries(members)
  return areNames ? copy : change(copy)
}

/** The part of a JSON schema (2020-12, as in OpenAPI 3.1) that examples are made from. */
export type Schema = {
  properties?: Readonly<Record<string, Schema>>
  items?: Schema
  examples?: readonly unknown[]
}

const DOCUMENT_TYPE = 'application/json; charset=utf-8'

const VersionQuery = Type.Object({ version: Type.Optional(Type.Enum(['3.0', '3.1'])) })

/**
 * Serves an OpenAPI document as JSON: 3.1, or with `?version=3.0` as 3.0.3, which is all that some generators read.
 * Each is built with the first request for it and kept.
 */
export function serveDocument(app: HttpServer, path: string, describe: () => Document): void {
  const versions = {
    '3.0': sendKept(DOCUMENT_TYPE, () => write(describe(), '3.0')),
    '3.1': sendKept(DOCUMENT_TYPE, () => write(describe(), '3.1')),
  }
  app.get(path, { schema: { hide: true, querystring: VersionQuery }, compress: false }, async (request, reply) =>
    versions[request.query.version ?? '3.1'](request, reply),
  )
}

function write(document: Document, version: '3.0' | '3.1'): string {
  const named = nameComponents(document)
  return JSON.stringify(version === '3.0' ? toOpenApi30(named) : named)
}

const METHODS = ['get', 'post', 'put', 'patch', 'delete'] as const
const JSON_TYPE = 'application/json'
const PROBLEM_TYPE = 'application/problem+json'

type PathItems = Record<string, JsonObject>
type Responses = Record<string, JsonObject>
type Operation = JsonObject & { operationId: string; tags?: string[]; requestBody?: JsonObject; responses: Responses }

/**
 * Moves shared parts of operations into `components`, so that a generated client has one type for each: every schema
 * with a `title` becomes `components.schemas[title]`, every error answer becomes an entry of `components.responses`.
 * Adds an example to each JSON body.
 * @throws Error if two different schemas have the same title
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

/** Builds an example value from a schema's examples; undefined if neither it nor its parts have any. */
function exampleOf(schema: Schema): unknown {
  if (schema.examples !== undefined) return schema.examples[0]
  if (schema.properties !== undefined) {
    const parts = Object.entries(schema.properties).map(([name, part]) => [name, exampleOf(part)] as const)
    return Object.fromEntries(parts.filter(([, value]) => value !== undefined))
  }
  if (schema.items !== undefined) return [exampleOf(schema.items)]
  return undefined
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
 * share, `TracksNotFound` for other shared ones, `SyncTrackConflict` for a response of a single operation.
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

/**
 * Translates an OpenAPI 3.1 document to 3.0.3, for generators that read nothing newer. Where 3.0 cannot express a rule,
 * it is left out, so that every answer that 3.1 allows is still allowed.
 */
export function toOpenApi30(document: Document): JsonObject {
  const { license, ...info } = document.info
  // 3.0 has no place for the requests of webhooks. Their schemas stay, for generators to make types of.
  const { webhooks: _, ...others } = document
  return {
    ...(mapObjects(others, translate) as JsonObject),
    openapi: '3.0.3',
    // A licence is named by address in 3.0, by SPDX identifier in 3.1.
    info: { ...info, license: { name: license!.name, url: `https://spdx.org/licenses/${license!.identifier}` } },
  }
}

function translate(object: JsonObject): JsonObject {
  return [nullableReference, nullableType, singleExample, constant, besideReference, withoutRoles].reduce(
    (schema, step) => step(schema),
    object,
  )
}

/** `anyOf: [reference, null]` becomes a nullable reference. */
function nullableReference({ anyOf, ...others }: JsonObject): JsonObject {
  if (!Array.isArray(anyOf)) return { ...others, ...(anyOf === undefined ? {} : { anyOf }) }
  const kept = anyOf.filter((one) => !isNull(one))
  if (kept.length === anyOf.length) return { ...others, anyOf }
  // Components are objects; `nullable` counts only beside a type.
  return { ...others, type: 'object', ...(kept.length === 1 ? { allOf: kept } : { anyOf: kept }), nullable: true }
}

/** A list of types becomes one type, with `nullable` for null. 3.0 cannot express several types besides null. */
function nullableType(object: JsonObject): JsonObject {
  const { type, enum: choices, ...others } = object
  if (!Array.isArray(type)) return object
  const named = type.filter((name) => name !== 'null')
  return {
    ...(named.length === 1 ? { type: named[0] } : {}),
    ...others,
    ...(Array.isArray(choices) ? { enum: choices } : {}),
    ...(type.includes('null') ? { nullable: true } : {}),
  }
}

function singleExample({ examples, ...others }: JsonObject): JsonObject {
  return Array.isArray(examples)
    ? { ...others, example: examples[0] }
    : { ...others, ...(examples === undefined ? {} : { examples }) }
}

function constant({ const: value, ...others }: JsonObject): JsonObject {
  return value === undefined ? others : { ...others, enum: [value] }
}

/** In 3.0 everything beside a reference is ignored, so the reference moves into an `allOf`. */
function besideReference(object: JsonObject): JsonObject {
  const { $ref, ...others } = object
  if ($ref === undefined || Object.keys(others).length === 0) return object
  return { ...others, allOf: [{ $ref }] }
}

function isNull(schema: unknown): boolean {
  return isObject(schema) && (schema.type === 'null' || (Array.isArray(schema.type) && schema.type.length === 0))
}

/** Roles beside the name of a security scheme are for OAuth alone in 3.0. */
function withoutRoles({ security, ...others }: JsonObject): JsonObject {
  if (!Array.isArray(security)) return { ...others, ...(security === undefined ? {} : { security }) }
  const schemes = security.map((scheme) => Object.fromEntries(Object.keys(scheme as object).map((name) => [name, []])))
  return { ...others, security: schemes }
}
