import { Button, Group, Paper, SimpleGrid, Stack, Text, Title } from '@mantine/core'
import { type UseQueryResult, useQuery } from '@tanstack/react-query'
import { useParams, useSearch } from '@tanstack/react-router'
import { ArrowLeft, ArrowLeftRight, GitCompareArrows } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { EmptyState } from '../../ui/titles.tsx'
import { hasStatus } from '../api/api-error.ts'
import { courseQuery } from '../api/queries.ts'
import { useChangeSearch } from '../components/change-search.ts'
import { Dialog } from '../components/dialogs.tsx'
import { Failure, Loading } from '../components/feedback.tsx'
import { AnchorLink, ButtonLink } from '../components/links.tsx'
import { paths, routeIds } from '../components/paths.ts'
import { operatorGetSeriesOptions, operatorGetTrackOptions } from '../generated/@tanstack/react-query.gen.ts'
import type { OperatorTrack, TrackSeries } from '../generated/types.gen.ts'
import { useFormat } from '../i18n/format.ts'
import { shownStats } from '../tracks/statistics.tsx'
import { TrackChoice } from '../tracks/track-choice.tsx'
import type { ComparisonSearch } from '../tracks/track-search.ts'
import { useTrackState } from '../tracks/track-status.tsx'
import { ComparisonView } from './comparison-view.tsx'
import { LETTERS, type Side, SideMark } from './sides.tsx'

/** Refetch interval of a track in progress. */
const REFRESH_MS = 10_000

/** A track of the comparison, as far as it is loaded. */
type SideQueries = { track: UseQueryResult<OperatorTrack, unknown>; series: UseQueryResult<TrackSeries, unknown> }

/** Two tracks of an event side by side. The address holds both, so that it can be passed on. */
export function ComparisonPage() {
  const { t } = useTranslation()
  const { eventId } = useParams({ from: routeIds.eventComparison })
  const { a, b, by } = useSearch({ from: routeIds.eventComparison })
  const change = useChangeSearch<ComparisonSearch>(paths.eventComparison)
  const sides = [useSide(a), useSide(b)] as const
  return (
    <Stack>
      <Group justify="space-between">
        <Title order={2}>{t('comparison.title')}</Title>
        <Group gap="xs">
          {a !== undefined && b !== undefined && (
            <Button
              variant="default"
              size="xs"
              leftSection={<ArrowLeftRight size={14} aria-hidden />}
              onClick={() => change({ a: b, b: a })}
            >
              {t('comparison.swap')}
            </Button>
          )}
          <ButtonLink
            to={paths.eventTracks}
            params={{ eventId }}
            variant="default"
            size="xs"
            leftSection={<ArrowLeft size={14} aria-hidden />}
          >
            {t('comparison.toTracks')}
          </ButtonLink>
        </Group>
      </Group>
      <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="sm">
        <SideCard
          side={0}
          id={a}
          otherId={b}
          eventId={eventId}
          queries={sides[0]}
          onChoose={(id) => change({ a: id })}
        />
        <SideCard
          side={1}
          id={b}
          otherId={a}
          eventId={eventId}
          queries={sides[1]}
          onChoose={(id) => change({ b: id })}
        />
      </SimpleGrid>
      <Content
        eventId={eventId}
        ids={[a, b]}
        sides={sides}
        isByClock={by === 'clock'}
        onByClock={(isByClock) => change({ by: isByClock ? 'clock' : undefined })}
      />
    </Stack>
  )
}

/** Loads one track of the comparison. */
function useSide(id: string | undefined): SideQueries {
  const path = { id: id ?? '' }
  const track = useQuery({
    ...operatorGetTrackOptions({ path }),
    enabled: id !== undefined,
    refetchInterval: ({ state }) => (state.data === undefined || state.data.state === 'stopped' ? false : REFRESH_MS),
  })
  const isUnderWay = track.data !== undefined && track.data.state !== 'stopped'
  const series = useQuery({
    ...operatorGetSeriesOptions({ path }),
    enabled: id !== undefined,
    refetchInterval: isUnderWay ? REFRESH_MS : false,
  })
  return { track, series }
}

type SideCardProps = {
  side: Side
  id: string | undefined
  otherId: string | undefined
  eventId: string
  queries: SideQueries
  onChoose(trackId: string): void
}

/** One of the two tracks, and the choice of another one in its place. */
function SideCard({ side, id, otherId, eventId, queries: { track }, onChoose }: SideCardProps) {
  const { t } = useTranslation()
  const { trackName } = useFormat()
  const [isChoosing, setChoosing] = useState(false)
  const found = id === undefined || hasStatus(track.error, 404) ? undefined : track.data
  return (
    <Paper withBorder p="sm" bg="var(--panel-background)">
      <Group justify="space-between" wrap="nowrap" align="flex-start">
        <Stack gap={4} miw={0}>
          <Group gap="sm" wrap="nowrap" align="baseline">
            <SideMark side={side} />
            {found === undefined ? (
              <Text c="dimmed">{id === undefined ? t('comparison.notChosen') : missingWord()}</Text>
            ) : (
              <AnchorLink to={paths.track} params={{ trackId: found.id }} fw={600} style={{ overflowWrap: 'anywhere' }}>
                {trackName(found.name, found.start_ts)}
              </AnchorLink>
            )}
          </Group>
          {found !== undefined && <TrackFacts track={found} />}
        </Stack>
        <Button variant="default" size="xs" flex="none" onClick={() => setChoosing(true)}>
          {t(found === undefined ? 'comparison.choose' : 'comparison.change', { letter: LETTERS[side] })}
        </Button>
      </Group>
      <Dialog
        title={t('comparison.chooseThis', { letter: LETTERS[side] })}
        opened={isChoosing}
        onClose={() => setChoosing(false)}
      >
        <TrackChoice
          eventId={eventId}
          exceptId={otherId}
          onChoose={(chosen) => {
            setChoosing(false)
            onChoose(chosen)
          }}
        />
      </Dialog>
    </Paper>
  )

  function missingWord(): string {
    return hasStatus(track.error, 404) ? t('comparison.gone') : track.isError ? t('failed.title') : t('state.loading')
  }
}

function TrackFacts({ track }: { track: OperatorTrack }) {
  const { t } = useTranslation()
  const format = useFormat()
  const { distance_meters, duration_sec } = shownStats(track)
  const badgeOf = useTrackState(track.event.id, [track])
  return (
    <Group gap="sm">
      {badgeOf(track)}
      <Text size="sm" c="dimmed" className="figures">
        {[
          format.dateTime(track.start_ts),
          t(`activity.${track.activity_type}`),
          format.distance(distance_meters),
          format.duration(duration_sec),
        ].join(' · ')}
      </Text>
    </Group>
  )
}

type ContentProps = {
  eventId: string
  ids: readonly [string | undefined, string | undefined]
  sides: readonly [SideQueries, SideQueries]
  isByClock: boolean
  onByClock(isByClock: boolean): void
}

/** The comparison once both tracks are there, or a note of the missing track. */
function Content({ eventId, ids, sides, isByClock, onByClock }: ContentProps) {
  const { t } = useTranslation()
  const { trackName } = useFormat()
  const course = useQuery(courseQuery(eventId))
  const queries = sides.flatMap(({ track, series }) => [track, series])
  const isGone = queries.some(({ error }) => hasStatus(error, 404))
  if (ids.includes(undefined) || ids[0] === ids[1] || isGone) {
    return (
      <EmptyState icon={GitCompareArrows} title={t(isGone ? 'comparison.goneTitle' : 'comparison.chooseTwo')} order={3}>
        {t(isGone ? 'comparison.goneHelp' : 'comparison.chooseTwoHelp')}
      </EmptyState>
    )
  }
  const failed = queries.find(({ data, isError }) => data === undefined && isError)
  if (failed !== undefined) return <Failure error={failed.error} onRetry={() => void failed.refetch()} />
  if (course.data === undefined && course.isError) {
    return <Failure error={course.error} onRetry={() => void course.refetch()} />
  }
  const [first, second] = sides.map(({ track, series }) =>
    track.data === undefined || series.data === undefined ? undefined : { track: track.data, series: series.data },
  )
  if (first === undefined || second === undefined || course.data === undefined) return <Loading />
  const empty = [first, second].filter(({ series }) => series.time_ms.length === 0)
  if (empty.length > 0) {
    return (
      <EmptyState icon={GitCompareArrows} title={t('track.noPoints')} order={3}>
        {t('comparison.noPointsHelp', {
          names: empty.map(({ track: { name, start_ts } }) => trackName(name, start_ts)).join(', '),
        })}
      </EmptyState>
    )
  }
  return (
    <ComparisonView
      key={`${ids[0]} ${ids[1]}`}
      first={first}
      second={second}
      course={course.data}
      isByClock={isByClock}
      onByClock={onByClock}
    />
  )
}
