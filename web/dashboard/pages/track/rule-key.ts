import { en, type Key } from '../../i18n/en.ts'

/** The text that explains a rule of the statistics; undefined for one that there are no words for yet. */
export function ruleKey(rule: string): Key | undefined {
  const key = `rule.${rule}`
  return key in en ? (key as Key) : undefined
}
