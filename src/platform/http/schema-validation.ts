import { Ajv, type ValidateFunction } from 'ajv'
import fastJsonStringify from 'fast-json-stringify'
import type { FastifySchemaValidationError } from 'fastify'
import type { FieldError } from '../basics/errors.ts'
import { fieldRuleKeyword, objectRuleKeyword } from './field-rules.ts'
import type { HttpServer } from './http-server.ts'
import { schemaErrors } from './problem.ts'

/** Text formats for schemas, each with the test that a text must pass. */
export type Formats = Record<string, (text: string) => boolean>

/**
 * Validates bodies strictly (`"48.85"` is not a number) and query parameters, which are text, with whole numbers parsed
 * from it. Collects all errors, so that one response names them all.
 */
export function validateWithSchemas(app: HttpServer, formats: Formats): void {
  const ajv = new Ajv({
    allErrors: true,
    allowUnionTypes: true,
    // It would take the first request some ten milliseconds. `test/route-schemas.test.ts` checks all schemas instead.
    validateSchema: false,
    formats,
    keywords: [fieldRuleKeyword, objectRuleKeyword],
  })
  app.setValidatorCompiler(({ schema, httpPart }) => {
    const validate = whenFirstCalled(() => validateParsed(ajv.compile(schema as ObjectSchema)))
    if (httpPart === 'querystring') return validateText(validate, schema as ObjectSchema)
    return httpPart === 'body' ? withoutUnknown(validate, schema as ObjectSchema) : validate
  })
  app.setSerializerCompiler(({ schema }) => whenFirstCalled(() => fastJsonStringify(schema as object)))
}

/** The outcome of a validation, in the form that Fastify takes. */
type Validation = true | { error: FastifySchemaValidationError[] }

/**
 * Makes a function from a schema when it is first called, which takes a millisecond or two. Of some 400 schemas, a
 * start needs none, and an installation a few dozen.
 */
function whenFirstCalled<Value, Result>(make: () => (value: Value) => Result): (value: Value) => Result {
  let made: ((value: Value) => Result) | undefined
  return (value) => {
    made ??= make()
    return made(value)
  }
}

function validateParsed(validate: ValidateFunction): (value: unknown) => Validation {
  return (value) => (validate(value) ? true : { error: validate.errors! as FastifySchemaValidationError[] })
}

type ObjectSchema = {
  properties?: Record<string, { type?: unknown }>
  patternProperties?: object
  additionalProperties?: unknown
}

/**
 * Takes away the members of a body that its schema does not have, which are ignored: a handler that passes a body on
 * whole would otherwise store what nobody has checked.
 */
function withoutUnknown(validate: (value: unknown) => Validation, schema: ObjectSchema) {
  const { properties, patternProperties, additionalProperties } = schema
  if (properties === undefined || patternProperties !== undefined || additionalProperties !== undefined) return validate
  return (body: unknown): Validation => {
    const validation = validate(body)
    if (validation !== true || typeof body !== 'object' || body === null || Array.isArray(body)) return validation
    for (const name of Object.keys(body))
      if (!Object.hasOwn(properties, name)) delete (body as Record<string, unknown>)[name]
    return true
  }
}

/**
 * Parses whole numbers from digits only: Ajv's own coercion would also accept `1e3`, `0x10` and ` 5`.
 * Refuses text with U+0000, which databases reject, as bodies do.
 */
function validateText(validate: (value: unknown) => Validation, { properties = {} }: ObjectSchema) {
  const numbers = Object.keys(properties).filter((name) => properties[name].type === 'integer')
  return (parameters: Record<string, unknown>): Validation => {
    for (const name of numbers) {
      const text = parameters[name]
      if (typeof text === 'string' && /^-?\d+$/.test(text)) parameters[name] = Number(text)
    }
    const validation = validate(parameters)
    const errors = [
      ...(validation === true ? [] : validation.error),
      ...unusableText(parameters, Object.keys(properties)),
    ]
    return errors.length === 0 ? true : { error: errors }
  }
}

function unusableText(parameters: Record<string, unknown>, names: readonly string[]): FastifySchemaValidationError[] {
  return names
    .filter((name) => String(parameters[name] ?? '').includes('\0'))
    .map((name) => ({
      instancePath: `/${name}`,
      schemaPath: '',
      keyword: 'text',
      params: {},
      message: 'must not contain the character U+0000',
    }))
}

/** Returns a function that validates values by the rules for bodies, for values that no route validates. */
export function compileSchema(app: HttpServer, schema: object): (value: unknown) => FieldError[] {
  const validate = app.validatorCompiler!({ schema, method: '', url: '', httpPart: 'body' }) as (
    v: unknown,
  ) => Validation
  return (value) => {
    const validation = validate(value)
    return validation === true ? [] : schemaErrors(validation.error)
  }
}
