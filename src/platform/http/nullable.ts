import Type from 'typebox'

/** A value, or null where there is none. */
export type Nullable<T> = T | null

/** Makes the schema of a value of a JSON type, such as `string`, or null. */
export const nullable = <T>(type: string, options: object = {}) =>
  Type.Unsafe<Nullable<T>>({ type: [type, 'null'], ...options })

/** Makes the schema of a text or null. */
export const nullableText = (options: object = {}) => nullable<string>('string', options)

/** Makes the schema of what another schema describes, or null. */
export const orNull = <T extends Parameters<typeof Type.Union>[0][number]>(schema: T) =>
  Type.Union([schema, Type.Null()])
