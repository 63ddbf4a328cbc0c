import type { FuncKeywordDefinition } from 'ajv'
import Type from 'typebox'
import type { FieldError } from '../basics/errors.ts'

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

/**
 * A rule that JSON Schema cannot express, such as one for characters or for text around which white space is removed.
 * Returns a description of a valid value, such as `must end in .pdf`; undefined for a valid value.
 */
type FieldRule = (text: string) => string | undefined

/**
 * A rule for fields of an object taken together, such as a start and an end. Returns the wrong fields with their paths
 * within the object. The object may break the rest of the schema: a rule skips fields that it cannot read.
 */
type ObjectRule = (object: Record<string, unknown>) => FieldError[]

/** The schema keywords of rules. Serialised schemas leave them out, because their values are functions. */
const RULE_KEYWORD = 'fieldRule'
const OBJECT_RULE_KEYWORD = 'objectRule'

/**
 * Returns the schema options that apply a rule to a string: `Type.String({ ...ruledBy(titleProblem), description })`.
 * The rule is checked together with the rest of the schema, so that one answer names every wrong field.
 */
export function ruledBy(rule: FieldRule): { [RULE_KEYWORD]: FieldRule } {
  return { [RULE_KEYWORD]: rule }
}

/**
 * Returns the schema options that apply a rule to an object: `Type.Object(fields, { ...ruledTogether(datesInOrder) })`.
 */
export function ruledTogether(rule: ObjectRule): { [OBJECT_RULE_KEYWORD]: ObjectRule } {
  return { [OBJECT_RULE_KEYWORD]: rule }
}

/** The Ajv keyword that applies field rules. */
export const fieldRuleKeyword: FuncKeywordDefinition = {
  keyword: RULE_KEYWORD,
  type: 'string',
  errors: true,
  compile(rule: FieldRule) {
    const validate: ReturnType<NonNullable<FuncKeywordDefinition['compile']>> = (text: string) => {
      const message = rule(text)
      validate.errors = message === undefined ? [] : [{ keyword: RULE_KEYWORD, params: {}, message }]
      return message === undefined
    }
    return validate
  },
}

/** The Ajv keyword that applies object rules. */
export const objectRuleKeyword: FuncKeywordDefinition = {
  keyword: OBJECT_RULE_KEYWORD,
  type: 'object',
  errors: true,
  compile(rule: ObjectRule) {
    const validate: ReturnType<NonNullable<FuncKeywordDefinition['compile']>> = (object, place) => {
      const errors = rule(object)
      validate.errors = errors.map(({ path, message }) => ({
        keyword: OBJECT_RULE_KEYWORD,
        instancePath: `${place?.instancePath ?? ''}/${path}`,
        params: {},
        message,
      }))
      return errors.length === 0
    }
    return validate
  },
}
