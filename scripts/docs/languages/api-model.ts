/** A type of a field, as every language has it. */
export type FieldType =
  | { kind: 'string' | 'integer' | 'number' | 'boolean' }
  | { kind: 'enum' | 'object'; name: string }
  | { kind: 'array'; of: FieldType }

/** A field of an object. `isOptional`: it may be absent or null. */
export type Field = { name: string; type: FieldType; isOptional: boolean; doc: string }

/** The types of the API for apps, sorted by name. */
export type ApiModel = {
  objects: { name: string; doc: string; fields: Field[] }[]
  enums: { name: string; values: string[] }[]
}

type Schema = {
  $ref?: string
  type?: string | string[]
  enum?: (string | null)[]
  anyOf?: Schema[]
  items?: Schema
  properties?: Record<string, Schema>
  required?: string[]
  description?: string
}

type OpenApi = {
  paths: Record<string, Record<string, { operationId?: string }>>
  components: { schemas: Record<string, Schema> }
}

/** Body of every error. */
const ERROR = '#/components/schemas/Problem'

/** Operations of an app. Their bodies and answers, and what these contain, are the types. */
const OPERATIONS = [
  'createTrack',
  'addPoints',
  'updateTrack',
  'finishTrack',
  'syncTrack',
  'getTrack',
  'listPoints',
  'listTracks',
]

const NAMED = /"#\/components\/schemas\/(\w+)"/g

/**
 * Returns the types that an app needs of an OpenAPI 3.1 document.
 * @throws Error for a schema that no language could express
 */
export function apiModel(document: string): ApiModel {
  const { paths, components }: OpenApi = JSON.parse(document)
  const operations = Object.values(paths).flatMap((methods) => Object.values(methods))
  const used = operations.filter(({ operationId }) => OPERATIONS.includes(operationId ?? ''))
  const names = new Set<string>()
  const visit = (part: unknown) => {
    for (const [, name] of JSON.stringify(part).matchAll(NAMED)) {
      if (names.has(name)) continue
      names.add(name)
      visit(components.schemas[name])
    }
  }
  visit([used, { $ref: ERROR }])
  const enums = new Map<string, string[]>()
  const objects = [...names].sort().map((name) => ({
    name,
    doc: components.schemas[name].description ?? '',
    fields: fieldsOf(name, components.schemas[name], enums),
  }))
  return { objects, enums: [...enums].sort().map(([name, values]) => ({ name, values })) }
}

function fieldsOf(owner: string, { properties, required = [] }: Schema, enums: Map<string, string[]>): Field[] {
  if (properties === undefined) throw new Error(`${owner} is no object with properties`)
  return Object.entries(properties).map(([name, schema]) => ({
    name,
    type: typeOf(`${owner}.${name}`, schema, enums),
    isOptional: !required.includes(name) || isNullable(schema),
    doc: schema.description ?? '',
  }))
}

function isNullable({ type, anyOf = [] }: Schema): boolean {
  return (Array.isArray(type) && type.includes('null')) || anyOf.some((one) => one.type === 'null')
}

function typeOf(path: string, schema: Schema, enums: Map<string, string[]>): FieldType {
  const { $ref, anyOf, items } = schema
  if ($ref !== undefined) return { kind: 'object', name: $ref.split('/').at(-1)! }
  if (anyOf !== undefined) return typeOf(path, anyOf.find((one) => one.type !== 'null')!, enums)
  if (schema.enum !== undefined) return enumOf(path, schema.enum, enums)
  const [kind, ...others] = [schema.type ?? []].flat().filter((one) => one !== 'null')
  if (others.length === 0 && kind === 'array' && items !== undefined) {
    return { kind: 'array', of: typeOf(path, items, enums) }
  }
  if (others.length === 0 && ['string', 'integer', 'number', 'boolean'].includes(kind)) return { kind } as FieldType
  throw new Error(`${path} has a type that is not supported: ${JSON.stringify(schema)}`)
}

/** Enums are named after their fields: the same field has the same values in every object. */
function enumOf(path: string, given: (string | null)[], enums: Map<string, string[]>): FieldType {
  const name = pascalCase(path.split('.')[1])
  const values = given.filter((value) => value !== null)
  const known = enums.get(name) ?? values
  if (known.join() !== values.join()) throw new Error(`${path} has other values than ${name} elsewhere`)
  enums.set(name, values)
  return { kind: 'enum', name }
}

/** Returns `deviceTrackId` for `device_track_id`. */
export function camelCase(name: string): string {
  return name.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase())
}

/** Returns `ActivityType` for `activity_type`. */
export function pascalCase(name: string): string {
  const camel = camelCase(name)
  return camel[0].toUpperCase() + camel.slice(1)
}
