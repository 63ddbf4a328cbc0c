import { Ajv, type ValidateFunction } from 'ajv'
import type { FieldError } from '../errors.ts'
import { schemaErrors } from './problem.ts'
import type { HttpServer } from './server.ts'

/** Text formats that schemas may name, each with the test a text must pass. */
export type Formats = Record<string, (text: string) => boolean>

/**
 * Validates bodies strictly (`"48.85"` is no number) and query parameters, which are all text, with numbers read from
 * text. Every error is collected, so that one answer names them all.
 */
export function validateWithSchemas(app: HttpServer, formats: Formats): void {
  const strict = new Ajv({ allErrors: true, allowUnionTypes: true, formats })
  const fromText = new Ajv({ allErrors: true, allowUnionTypes: true, coerceTypes: true, formats })
  app.setValidatorCompiler(({ schema, httpPart }) =>
    (httpPart === 'body' ? strict : fromText).compile(schema as object),
  )
}

/** A test of values that no route validates by itself, by the rules for bodies; it gives what is wrong, or nothing. */
export function compileSchema(app: HttpServer, schema: object): (value: unknown) => FieldError[] {
  const validate = app.validatorCompiler!({ schema, method: '', url: '', httpPart: 'body' }) as ValidateFunction
  return (value) => (validate(value) ? [] : schemaErrors(validate.errors ?? []))
}
