/** The part of a JSON schema (2020-12, as in OpenAPI 3.1) that the page shows. */
export type Schema = {
  type?: string | readonly string[]
  title?: string
  description?: string
  format?: string
  enum?: readonly unknown[]
  properties?: Readonly<Record<string, Schema>>
  required?: readonly string[]
  items?: Schema
  minLength?: number
  maxLength?: number
  minimum?: number
  maximum?: number
  maxItems?: number
  examples?: readonly unknown[]
}

/** Schemas by title that occur more than once. The page describes them once and links to them. */
export type SharedSchemas = ReadonlyMap<string, Schema>

/** Returns the schemas that occur more than once, in order of first occurrence. */
export function sharedSchemas(roots: readonly Schema[]): SharedSchemas {
  const titled = roots.flatMap(titledSchemas)
  const counts = Map.groupBy(titled, ({ title }) => title!)
  return new Map([...counts].filter(([, same]) => same.length > 1).map(([title, [first]]) => [title, first]))
}

/** Returns the schema and all inner schemas that have a title. */
export function titledSchemas(schema: Schema): Schema[] {
  const parts = [...Object.values(schema.properties ?? {}), ...(schema.items === undefined ? [] : [schema.items])]
  return [...(schema.title === undefined ? [] : [schema]), ...parts.flatMap(titledSchemas)]
}

/** Returns the types that a value may have, without `null`. */
export function typesOf({ type, enum: choices }: Schema): string[] {
  const named = [type ?? [...new Set(choices?.map((choice) => typeof choice))]].flat()
  return named.filter((name) => name !== 'null')
}

/** Tells whether the schema allows `null`. */
export function isNullable({ type }: Schema): boolean {
  return Array.isArray(type) && type.includes('null')
}
