import type { FuncKeywordDefinition } from 'ajv'

/**
 * A rule that JSON Schema cannot express, such as one for characters or for text around which white space is removed.
 * Returns a description of what the value must be, such as `must end in .pdf`; undefined for a valid value.
 */
export type FieldRule = (text: string) => string | undefined

/** The schema keyword of rules. Serialised schemas leave it out, because its value is a function. */
const RULE_KEYWORD = 'fieldRule'

/**
 * Returns the schema options that apply a rule to a string: `Type.String({ ...ruledBy(titleProblem), description })`.
 * The rule is checked together with the rest of the schema, so that one answer names every wrong field.
 */
export function ruledBy(rule: FieldRule): { [RULE_KEYWORD]: FieldRule } {
  return { [RULE_KEYWORD]: rule }
}

/** The Ajv keyword that carries out rules. */
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
