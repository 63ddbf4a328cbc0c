import { Group, SegmentedControl, Skeleton, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useNavigate, useParams, useSearch } from '@tanstack/react-router'
import { ChartNoAxesColumn } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { EmptyState } from '../../../ui/empty-state.tsx'
import {
  figuresQuery,
  type OperatorPublication,
  publicationQuery,
  type ReadingFigures,
} from '../../api/publications.ts'
import { Failure } from '../../feedback/failure.tsx'
import { Loaded } from '../../feedback/loaded.tsx'
import { paths, routeIds } from '../../navigation/paths.ts'
import { DayFigures } from './day-figures.tsx'
import { DEFAULT_PERIOD, PERIODS } from './figure-period.ts'
import { FigureTotals } from './figure-totals.tsx'
import { PageFigures } from './page-figures.tsx'

/** The reading figures of a publication. The address holds the period. */
export function PublicationReadersPage() {
  const { t } = useTranslation()
  const { publicationId } = useParams({ from: routeIds.publicationReaders })
  const { days = DEFAULT_PERIOD } = useSearch({ from: routeIds.publicationReaders })
  const navigate = useNavigate()
  const publication = useQuery(publicationQuery(publicationId))
  const figures = useQuery({ ...figuresQuery(publicationId, days), refetchInterval: 60_000 })
  return (
    <Stack>
      <Group justify="space-between">
        <SegmentedControl
          aria-label={t('figures.period')}
          value={String(days)}
          onChange={(chosen) =>
            void navigate({
              from: paths.publicationReaders,
              to: '.',
              search: { days: PERIODS.find((period) => String(period) === chosen) },
              replace: true,
              resetScroll: false,
            })
          }
          data={PERIODS.map((period) => ({ value: String(period), label: t('figures.days', { count: period }) }))}
        />
        <Text size="sm" c="dimmed" maw={560}>
          {t('figures.how')}
        </Text>
      </Group>
      {figures.isError && figures.data === undefined ? (
        <Failure error={figures.error} onRetry={() => void figures.refetch()} />
      ) : figures.data === undefined ? (
        <FiguresSkeleton />
      ) : (
        <Loaded query={publication}>{(found) => <Figures figures={figures.data} publication={found} />}</Loaded>
      )}
    </Stack>
  )
}

function Figures({ figures, publication }: { figures: ReadingFigures; publication: OperatorPublication }) {
  const { t } = useTranslation()
  const { total } = figures
  if (total.views + total.downloads === 0) {
    return (
      <EmptyState icon={ChartNoAxesColumn} title={t('figures.empty')}>
        {t('figures.emptyHelp')}
      </EmptyState>
    )
  }
  return (
    <>
      <FigureTotals total={total} />
      <DayFigures days={figures.days} />
      <PageFigures read={total.pages} pageCount={publication.page_count} />
    </>
  )
}

function FiguresSkeleton() {
  const { t } = useTranslation()
  return (
    <Stack role="status" aria-label={t('state.loading')}>
      <Skeleton height={88} />
      <Skeleton height={320} />
      <Skeleton height={320} />
    </Stack>
  )
}
