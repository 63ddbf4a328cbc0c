import type { Readable } from 'node:stream'
import Type, { type TSchema } from 'typebox'

/** The schema of an answer without a body. */
export function noContent(description: string) {
  return Type.Unsafe<undefined>({ type: 'null', description })
}

/** The schema of an answer that its route sends as a stream of bytes; it describes the bytes and writes nothing. */
export function streamed(schema: TSchema) {
  return Type.Unsafe<Readable>(schema)
}
