import { useTranslation } from 'react-i18next'
import type { ErasurePreview } from '../../api/administration/erasures.ts'
import { useFormat } from '../../i18n/format.ts'
import { FactsTable } from './facts-table.tsx'

/** Tables whose rows mean something to people, beside those of tracks and points. */
const TOLD = [
  'runners',
  'app_tokens',
  'shares',
  'phone_recordings',
  'phone_devices',
  'webhook_deliveries',
  'idempotency_keys',
] as const

/** The amounts that are erased, in the words of the dashboard. */
export function ErasedData({ data }: { data: ErasurePreview }) {
  const { t } = useTranslation()
  const format = useFormat()
  const rowsOf = (table: string) => data.tables.find((each) => each.table === table)?.rows
  const facts: [string, string][] = [
    [t('erasures.tracks'), format.count(data.tracks)],
    [t('erasures.points'), format.count(data.points)],
  ]
  if (data.from !== null && data.until !== null) facts.push([t('erasures.span'), format.period(data.from, data.until)])
  facts.push([t('erasures.events'), format.count(data.event_ids.length)])
  for (const table of TOLD) {
    const rows = rowsOf(table)
    if (rows !== undefined) facts.push([t(`erasures.rows.${table}`), format.count(rows)])
  }
  return <FactsTable label={t('erasures.data')} facts={facts} />
}
