import { Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import type { AuditRecord } from '../../api/administration/audit.ts'
import { useFormat } from '../../i18n/format.ts'
import { actionWords } from './action-words.ts'

/** A record as a sentence: who did what, or could not, to which thing. */
export function AuditSentence({ record }: { record: AuditRecord }) {
  const { t, i18n } = useTranslation()
  const format = useFormat()
  const { action, actor, source, subject, within, result, outcome, count } = record
  const fallback = source === 'admin' ? t('audit.ranCommand', { command: action }) : undefined
  const what = fallback ?? actionWords(action, i18n.language, outcome) ?? t('audit.sentRequest', { request: action })
  const who =
    actor?.name ??
    (action === 'refuseOthers' ? t('audit.others') : source === 'server' ? t('audit.theServer') : t('audit.somebody'))
  const names = [subject?.name ?? result?.name ?? undefined, within?.name ?? undefined].filter(
    (name) => name !== undefined && name !== actor?.name,
  )
  return (
    <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
      <b>{who}</b> {what}
      {names.length > 0 && t('audit.colon')}
      <b>{names.join(' · ')}</b>
      {count > 1 && ` (${t('audit.times', { figure: format.count(count) })})`}
    </Text>
  )
}
