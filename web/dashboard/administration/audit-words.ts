import type { AuditRecord } from '../../../src/operator/audit/schemas.ts'

/**
 * Returns what was done, or what somebody could not do, as the rest of a sentence after a name; undefined for an action
 * without words. Actions of the log itself and refused credentials mean the same either way, and have only one text.
 * @param words texts by action; those of an action that was refused or failed end with `_undone`
 */
export function actionWords(
  words: Readonly<Record<string, string>>,
  action: string,
  outcome: AuditRecord['outcome'] = 'succeeded',
): string | undefined {
  if (!Object.hasOwn(words, action)) return undefined
  const isUndone = outcome === 'refused' || outcome === 'failed'
  return (isUndone ? words[`${action}_undone`] : undefined) ?? words[action]
}
