import { Group, Paper, SegmentedControl, SimpleGrid, Skeleton, Stack, Text, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useParams, useSearch } from '@tanstack/react-router'
import { ChartNoAxesColumn } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { EmptyState } from '../../ui/titles.tsx'
import { VirtualTable } from '../../ui/virtual-table.tsx'
import { publicationFiguresAddress } from '../api/addresses.ts'
import { figuresQuery } from '../api/queries.ts'
import { useChangeSearch } from '../components/change-search.ts'
import { Failure, Loaded } from '../components/feedback.tsx'
import { DownloadButton } from '../components/lists.tsx'
import { paths, routeIds } from '../components/paths.ts'
import { operatorGetPublicationOptions } from '../generated/@tanstack/react-query.gen.ts'
import type { OperatorPublication, ReadingFigures } from '../generated/types.gen.ts'
import { useFormat } from '../i18n/format.ts'
import { DEFAULT_PERIOD, PERIODS } from './library-search.ts'
import { DayFigures, PageFigures } from './reading-figures.tsx'

/** The reading figures of a publication. The address holds the period. */
export function PublicationReadersPage() {
  const { t } = useTranslation()
  const { publicationId } = useParams({ from: routeIds.publicationReaders })
  const { days = DEFAULT_PERIOD } = useSearch({ from: routeIds.publicationReaders })
  const change = useChangeSearch<{ days?: (typeof PERIODS)[number] }>(paths.publicationReaders)
  const publication = useQuery(operatorGetPublicationOptions({ path: { id: publicationId } }))
  const figures = useQuery({ ...figuresQuery(publicationId, days), refetchInterval: 60_000 })
  return (
    <Stack>
      <Group justify="space-between">
        <SegmentedControl
          aria-label={t('figures.period')}
          value={String(days)}
          onChange={(chosen) => change({ days: PERIODS.find((period) => String(period) === chosen) })}
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
      <DayFigures days={figures.days} since={publication.created_at.slice(0, 10)} />
      <PageFigures read={total.pages} pageCount={publication.page_count} />
      <Sources sources={figures.sources} />
      <Group justify="flex-end">
        <DownloadButton href={publicationFiguresAddress(publication.id, figures.from)} variant="subtle" size="xs">
          {t('library.figures')}
        </DownloadButton>
      </Group>
    </>
  )
}

/** The sites that readers came from. */
function Sources({ sources }: { sources: ReadingFigures['sources'] }) {
  const { t } = useTranslation()
  const format = useFormat()
  const title = t('figures.sources')
  return (
    <Paper withBorder p="md" bg="var(--panel-background)" component="section" aria-label={title}>
      <Title order={2} mb="xs">
        {title}
      </Title>
      <Text size="sm" c="dimmed" mb="sm">
        {t(sources.length === 0 ? 'figures.noSources' : 'figures.sourcesHelp')}
      </Text>
      {sources.length > 0 && (
        <VirtualTable
          label={title}
          columns={[
            { id: 'host', head: t('figures.source'), cell: ({ host }) => host, isFilling: true },
            { id: 'views', head: t('figures.views'), isNumeric: true, cell: ({ views }) => format.count(views) },
          ]}
          rows={sources}
          rowId={({ host }) => host}
          heightPx={320}
        />
      )}
    </Paper>
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

/** The totals of all days. */
function FigureTotals({ total }: { total: ReadingFigures['total'] }) {
  const { t } = useTranslation()
  const format = useFormat()
  const entries = [
    [t('figures.views'), format.count(total.views)],
    [t('figures.readers'), format.count(total.readers)],
    [t('figures.pagesRead'), format.count(total.pages.reduce((sum, count) => sum + count, 0))],
    [t('figures.time'), format.span(total.seconds)],
    [t('figures.downloads'), format.count(total.downloads)],
  ] as const
  return (
    <SimpleGrid cols={{ base: 2, sm: 3, lg: 5 }} component="dl" m={0}>
      {entries.map(([name, figure]) => (
        <Paper key={name} withBorder p="md" bg="var(--panel-background)">
          <Text size="sm" c="dimmed" component="dt">
            {name}
          </Text>
          <Text fz={26} fw={650} className="figures" component="dd" m={0}>
            {figure}
          </Text>
        </Paper>
      ))}
    </SimpleGrid>
  )
}
