import { Button, Text, Title } from '@mantine/core'
import { useInfiniteQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { PointValues } from '../../../src/tracks/points/point-columns.ts'
import { VALUE_FIELDS } from '../../../src/tracks/points/point-fields.ts'
import { VirtualTable } from '../../ui/virtual-table.tsx'
import { rawPointsQuery } from '../api/queries.ts'
import { Loaded } from '../components/feedback.tsx'
import { usePages } from '../components/lists.tsx'
import type { RawPoint } from '../generated/types.gen.ts'
import { useFormat } from '../i18n/format.ts'

const FIELDS = VALUE_FIELDS.map(({ key }) => key as keyof PointValues)

/** The points as they were sent, loaded on demand. */
export function RawPoints({ trackId }: { trackId: string }) {
  const { t } = useTranslation()
  const [shown, setShown] = useState(false)
  return (
    <div>
      <Title order={2} mb="sm">
        {t('points.title')}
      </Title>
      {shown ? (
        <PointTable trackId={trackId} />
      ) : (
        <Button variant="default" onClick={() => setShown(true)}>
          {t('points.show')}
        </Button>
      )}
    </div>
  )
}

function PointTable({ trackId }: { trackId: string }) {
  const { t } = useTranslation()
  const query = useInfiniteQuery(rawPointsQuery(trackId))
  const { rows, total, onEnd } = usePages(query, ({ points }) => points)
  const format = useFormat()
  return (
    <Loaded query={query}>
      {() => (
        <>
          <VirtualTable
            label={t('points.title')}
            columns={[
              { id: 'index', head: '#', cell: ({ index }) => index + 1 },
              { id: 'timestamp', head: t('points.time'), cell: ({ timestamp }) => timestamp },
              ...FIELDS.map((id) => ({ id, head: t(`points.${id}`), cell: (point: RawPoint) => point[id] ?? '–' })),
              {
                id: 'left_out',
                head: t('points.leftOut'),
                cell: ({ left_out }) => (left_out === null ? '' : t(`reason.${left_out}`)),
              },
            ]}
            rows={rows}
            total={total}
            rowId={({ index }) => String(index)}
            onEnd={onEnd}
            heightPx={480}
            minWidthPx={900}
          />
          <Text size="sm" c="dimmed" mt="xs" role="status">
            {t('points.count', { count: total, shown: format.count(rows.length), total: format.count(total) })}
          </Text>
        </>
      )}
    </Loaded>
  )
}
