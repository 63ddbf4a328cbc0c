import { type Document, isObject, type JsonObject, mapObjects } from './open-api-types.ts'

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
