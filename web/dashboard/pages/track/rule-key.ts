import { en, type Key } from '../../i18n/en.ts'

/** Returns the key of the text that explains a rule of the statistics; undefined without one. */
export function ruleKey(rule: string): Key | undefined {
  const key = `rule.${rule}`
  return key in en ? (key as Key) : undefined
}
