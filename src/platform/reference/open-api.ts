import type { OpenAPIV3_1 } from 'openapi-types'

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

/** Tells whether a value is a JSON object, and neither null nor an array. */
export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

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
