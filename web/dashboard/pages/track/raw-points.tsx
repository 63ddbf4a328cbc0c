import { Button, Text, Title } from '@mantine/core'
import { useInfiniteQuery } from '@tanstack/react-query'
import { createColumnHelper } from '@tanstack/react-table'
import { useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { VALUE_FIELDS } from '../../../../src/tracks/points/point-fields.ts'
import type { PointValues } from '../../../../src/tracks/points/point-values.ts'
import { type tableOptions, type VirtualColumns, VirtualTable } from '../../../ui/virtual-table.tsx'
import { type RawPoint, rawPointsQuery } from '../../api/tracks.ts'
import { Failure } from '../../feedback/failure.tsx'
import { Loading } from '../../feedback/loaded.tsx'
import { useFormat } from '../../i18n/format.ts'

const NO_POINTS: RawPoint[] = []

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
  const format = useFormat()
  const columns = usePointColumns()
  const query = useInfiniteQuery(rawPointsQuery(trackId))
  const rows = useMemo(() => query.data?.pages.flatMap(({ points }) => points) ?? NO_POINTS, [query.data])
  if (query.data === undefined) {
    return query.isError ? <Failure error={query.error} onRetry={() => void query.refetch()} /> : <Loading />
  }
  const total = query.data.pages[0].total
  return (
    <>
      <VirtualTable
        label={t('points.title')}
        columns={columns}
        rows={rows}
        total={total}
        rowId={({ index }) => String(index)}
        onEnd={() => {
          if (query.hasNextPage && !query.isFetchingNextPage) void query.fetchNextPage()
        }}
        heightPx={480}
        minWidthPx={900}
      />
      <Text size="sm" c="dimmed" mt="xs" role="status">
        {t('points.count', { count: total, shown: format.count(rows.length), total: format.count(total) })}
      </Text>
    </>
  )
}

const column = createColumnHelper<typeof tableOptions, RawPoint>()

function usePointColumns(): VirtualColumns<RawPoint> {
  const { t } = useTranslation()
  return useMemo(() => {
    return [
      column.accessor('index', { header: '#', enableSorting: false, cell: ({ row }) => row.original.index + 1 }),
      column.accessor('timestamp', {
        header: t('points.time'),
        enableSorting: false,
        cell: ({ row }) => row.original.timestamp,
      }),
      ...FIELDS.map((field) =>
        column.accessor(field, {
          header: t(`points.${field}`),
          enableSorting: false,
          cell: ({ row }) => row.original[field] ?? '–',
        }),
      ),
      column.accessor('left_out', {
        header: t('points.leftOut'),
        enableSorting: false,
        cell: ({ row }) => (row.original.left_out === null ? '' : t(`reason.${row.original.left_out}`)),
      }),
    ]
  }, [t])
}
