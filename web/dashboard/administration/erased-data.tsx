import { Table } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { operatorListEventsOptions } from '../generated/@tanstack/react-query.gen.ts'
import type { ErasureReceipt } from '../generated/types.gen.ts'
import { useFormat } from '../i18n/format.ts'

/** Tables whose rows mean something to people, beside tracks and points. */
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
export function ErasedData({ data }: { data: ErasureReceipt['erased'] }) {
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

/** Facts with their names, such as those of a receipt. */
export function FactsTable({ label, facts }: { label: string; facts: readonly (readonly [string, ReactNode])[] }) {
  return (
    <Table aria-label={label} withRowBorders={false} layout="fixed">
      <Table.Tbody>
        {facts.map(([name, value]) => (
          <Table.Tr key={name}>
            <Table.Th scope="row" fw={400} c="dimmed" w="38%" pl={0}>
              {name}
            </Table.Th>
            <Table.Td className="figures" pr={0} style={{ overflowWrap: 'anywhere' }}>
              {value}
            </Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  )
}

/** Stands in the place of a name until the list of names comes. */
export const LOADING = '…'

/** Returns how to name where an erasure takes place: the event of an id, or all of them for null. */
export function useErasurePlace(): (eventId: string | null) => string {
  const { t } = useTranslation()
  const events = useQuery({ ...operatorListEventsOptions(), select: ({ events }) => events })
  return (eventId) => {
    if (eventId === null) return t('erasures.everywhere')
    if (events.isPending) return LOADING
    if (events.data === undefined) return eventId
    return events.data.find(({ id }) => id === eventId)?.name ?? t('erasures.deletedEvent')
  }
}

/** Tells whether an erasure begins later: a participant has asked for it, and can take it back until then. */
export function isScheduled({ started_at, finished_at }: Pick<ErasureReceipt, 'started_at' | 'finished_at'>): boolean {
  return finished_at === null && Date.parse(started_at) > Date.now()
}
