import { Table } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import type { ErasurePreview } from '../../api/administration/erasures.ts'
import { useFormat } from '../../i18n/format.ts'

/** The amounts that are erased: points and times, and then the rows of each table. */
export function ErasedData({ data }: { data: ErasurePreview }) {
  const { t } = useTranslation()
  const format = useFormat()
  const span = data.from !== null && data.until !== null
  return (
    <Table aria-label={t('erasures.data')} variant="vertical">
      <Table.Tbody>
        <Row name={t('erasures.tracks')}>{format.count(data.tracks)}</Row>
        <Row name={t('erasures.points')}>{format.count(data.points)}</Row>
        {span && (
          <Row name={t('erasures.span')}>{`${format.dateTime(data.from!)} – ${format.dateTime(data.until!)}`}</Row>
        )}
        <Row name={t('erasures.events')}>{format.count(data.event_ids.length)}</Row>
        {data.tables.map(({ table, rows }) => (
          <Row key={table} name={t('erasures.rowsOf', { table })}>
            {format.count(rows)}
          </Row>
        ))}
      </Table.Tbody>
    </Table>
  )
}

function Row({ name, children }: { name: string; children: string }) {
  return (
    <Table.Tr>
      <Table.Th scope="row" fw={400}>
        {name}
      </Table.Th>
      <Table.Td className="figures">{children}</Table.Td>
    </Table.Tr>
  )
}
