import { Badge, Button, Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { StackedCell, StackedRow, StackedTable } from '../../../ui/stacked-table.tsx'
import type { AuditRecord } from '../../api/administration/audit.ts'
import { useFormat } from '../../i18n/format.ts'
import { AuditSentence } from './audit-sentence.tsx'

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
  const heads = [t('audit.time'), t('audit.what'), t('audit.outcome'), t('audit.from'), t('table.actions')]
  return (
    <StackedTable label={t('audit.title')} heads={heads}>
      {records.map((record) => (
        <StackedRow key={record.position}>
          <StackedCell head={t('audit.time')}>
            <Text size="sm" className="figures">
              {format.dateTime(record.time)}
            </Text>
          </StackedCell>
          <StackedCell head={t('audit.what')}>
            <AuditSentence record={record} />
          </StackedCell>
          <StackedCell head={t('audit.outcome')}>
            <OutcomeBadge outcome={record.outcome} />
          </StackedCell>
          <StackedCell head={t('audit.from')}>
            {record.address ?? (typeof record.details.host === 'string' ? record.details.host : '–')}
          </StackedCell>
          <StackedCell>
            <Button
              size="xs"
              variant="default"
              onClick={() => onOpen(record)}
              aria-label={t('audit.detailsOf', { position: String(record.position) })}
            >
              {t('audit.details')}
            </Button>
          </StackedCell>
        </StackedRow>
      ))}
    </StackedTable>
  )
}

/** Shows the end of something. */
export function OutcomeBadge({ outcome }: Pick<AuditRecord, 'outcome'>) {
  const { t } = useTranslation()
  return (
    <Badge variant="filled" color={COLOURS[outcome]} title={outcome === 'unknown' ? t('audit.unknownHelp') : undefined}>
      {t(`audit.outcome.${outcome}`)}
    </Badge>
  )
}
