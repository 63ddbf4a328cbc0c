/** What this page reads of a JSON schema (2020-12, as OpenAPI 3.1 has it). */
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

/** Schemas that have a title and occur more than once, by title: they are explained in one place and linked to. */
export type SharedSchemas = ReadonlyMap<string, Schema>

/** Finds the schemas worth a place of their own, in the order in which they first occur. */
export function sharedSchemas(roots: readonly Schema[]): SharedSchemas {
  const titled = roots.flatMap(titledSchemas)
  const counts = Map.groupBy(titled, ({ title }) => title!)
  return new Map([...counts].filter(([, same]) => same.length > 1).map(([title, [first]]) => [title, first]))
}

/** The schema and all those inside it that have a title. */
export function titledSchemas(schema: Schema): Schema[] {
  const parts = [...Object.values(schema.properties ?? {}), ...(schema.items === undefined ? [] : [schema.items])]
  return [...(schema.title === undefined ? [] : [schema]), ...parts.flatMap(titledSchemas)]
}

/** The types that a value may have, without `null`. */
export function typesOf({ type, enum: choices }: Schema): string[] {
  const named = [type ?? [...new Set(choices?.map((choice) => typeof choice))]].flat()
  return named.filter((name) => name !== 'null')
}

/** Whether `null` is a value, too. */
export function isNullable({ type }: Schema): boolean {
  return Array.isArray(type) && type.includes('null')
}
