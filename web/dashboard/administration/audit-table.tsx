import { Badge, Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { StackedTable } from '../../ui/stacked-table.tsx'
import { RowButton } from '../components/lists.tsx'
import type { AuditRecord } from '../generated/types.gen.ts'
import { useFormat } from '../i18n/format.ts'
import { useAdministrationTexts } from './administration-texts.ts'
import { actionWords } from './audit-words.ts'

const COLOURS: Record<AuditRecord['outcome'], string> = {
  succeeded: 'teal.9',
  refused: 'pink.9',
  failed: 'red.9',
  unknown: 'gray.7',
}

type AuditTableProps = { records: readonly AuditRecord[]; onOpen(record: AuditRecord): void }

/** The records of the audit log as sentences, with their outcomes and origins. */
export function AuditTable({ records, onOpen }: AuditTableProps) {
  const { t } = useTranslation()
  const format = useFormat()
  return (
    <StackedTable
      label={t('audit.title')}
      columns={[
        {
          head: t('audit.time'),
          cell: ({ time }) => (
            <Text size="sm" className="figures">
              {format.dateTime(time)}
            </Text>
          ),
        },
        { head: t('audit.what'), cell: (record) => <AuditSentence record={record} /> },
        { head: t('audit.outcome'), cell: ({ outcome }) => <OutcomeBadge outcome={outcome} /> },
        {
          head: t('audit.from'),
          cell: ({ address, details }) => address ?? (typeof details.host === 'string' ? details.host : '–'),
        },
        {
          head: t('table.actions'),
          isBare: true,
          cell: (record) => (
            <RowButton
              onClick={() => onOpen(record)}
              aria-label={t('audit.detailsOf', { position: String(record.position) })}
            >
              {t('audit.details')}
            </RowButton>
          ),
        },
      ]}
      rows={records}
      rowId={({ position }) => position}
    />
  )
}

/** Shows the end of something. */
export function OutcomeBadge({ outcome }: { outcome: AuditRecord['outcome'] }) {
  const { t } = useTranslation()
  return (
    <Badge
      variant="filled"
      miw="max-content"
      color={COLOURS[outcome]}
      title={outcome === 'unknown' ? t('audit.unknownHelp') : undefined}
    >
      {t(`audit.outcome.${outcome}`)}
    </Badge>
  )
}

/** Tells whether a thing has the name of a track: one itself, or the share of one. */
function isOfTrack(subject: AuditRecord['subject']): boolean {
  return subject?.kind === 'track' || subject?.kind === 'share'
}

/** A record as a sentence: who did what, or could not, to which thing. */
export function AuditSentence({ record }: { record: AuditRecord }) {
  const t = useAdministrationTexts()
  const { i18n } = useTranslation()
  const format = useFormat()
  const { action, actor, source, subject, within, result, outcome, count } = record
  const fallback = source === 'admin' ? t('audit.ranCommand', { command: action }) : undefined
  const words = i18n.getResourceBundle(i18n.language, 'administration') as Record<string, string>
  const what = fallback ?? actionWords(words, action, outcome) ?? t('audit.sentRequest', { request: action })
  const who =
    actor?.name ??
    (action === 'refuseOthers' ? t('audit.others') : source === 'server' ? t('audit.theServer') : t('audit.somebody'))
  const about = subject?.name ?? result?.name ?? undefined
  const names = [isOfTrack(subject) && about ? format.trackName(about) : about, within?.name ?? undefined].filter(
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
