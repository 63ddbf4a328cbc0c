import { Badge, Group, Paper, SimpleGrid, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import type { SharedTrack } from '../../../src/tracks/api/operator-track-schemas.ts'
import { isPaced, useFormat } from '../i18n/format.ts'
import './track-view.css'

type HeadlineProps = {
  label: string
  figures: readonly HeadlineFigure[]
  /** Anything beside a figure's name, such as where it comes from. */
  about?(figure: HeadlineFigure): ReactNode
}

/** The figures that people ask for first: distance, time, pace or speed, and climb. */
export function Headline({ label, figures, about }: HeadlineProps) {
  return (
    <section aria-label={label}>
      <SimpleGrid cols={{ base: 2, sm: figures.length }} spacing="sm">
        {figures.map((figure) => (
          <Paper key={figure.name} withBorder p="sm" bg="var(--panel-background)">
            <Group justify="space-between" wrap="nowrap" align="flex-start" gap={4}>
              <Text size="sm" c="dimmed" className="figure-name">
                {figure.title}
              </Text>
              {about?.(figure)}
            </Group>
            <Text fw={650} className="figures headline-value">
              {figure.value}
            </Text>
            {figure.detail !== undefined && (
              <Text size="sm" c="dimmed" className="figures">
                {figure.detail}
              </Text>
            )}
          </Paper>
        ))}
      </SimpleGrid>
    </section>
  )
}

/** A figure with its name among the statistics, in words, and a second figure that belongs to it. */
type HeadlineFigure = { name: string; title: string; value: string; detail?: string }

/** The part of a track that its headline needs. */
type HeadlineTrack = {
  activityType: string
  pointsCount: number
  /** False for a track without altitudes. */
  hasAltitudes: boolean
  stats: {
    distance_meters: number
    duration_sec: number
    moving_time_sec?: number
    elevation_gain_m: number
    elevation_gain_interval_m?: readonly number[]
    elevation_loss_m?: number
    elevation_loss_interval_m?: readonly number[]
    mean_speed_mps: number
  }
}

const UNKNOWN = '–'

/**
 * Returns distance, time, pace or speed, and climb. The moving time and its pace stand beside those that include stops.
 */
export function useHeadlineFigures({
  activityType,
  pointsCount,
  hasAltitudes,
  stats,
}: HeadlineTrack): HeadlineFigure[] {
  const { t } = useTranslation()
  const format = useFormat()
  const { distance_meters, duration_sec, moving_time_sec = 0, elevation_gain_m, elevation_loss_m } = stats
  // One point has no distance and no time, rather than none of either.
  const isMeasured = pointsCount > 1 || distance_meters > 0
  const moving = (value: string) =>
    isMeasured && moving_time_sec > 0 ? { detail: t('headline.moving', { value }) } : {}
  const paced = isPaced(activityType)
  const movingMps = moving_time_sec > 0 ? distance_meters / moving_time_sec : 0
  const hasClimb = isMeasured && (hasAltitudes || elevation_gain_m > 0)
  return [
    {
      name: 'distance_meters',
      title: t('stats.distance'),
      value: isMeasured ? format.distance(distance_meters) : UNKNOWN,
    },
    {
      name: 'duration_sec',
      title: t('stats.duration'),
      value: isMeasured || duration_sec > 0 ? format.duration(duration_sec) : UNKNOWN,
      ...moving(format.duration(moving_time_sec)),
    },
    {
      name: paced ? 'pace_sec_per_km' : 'mean_speed_mps',
      title: t(paced ? 'stats.pace' : 'stats.meanSpeed'),
      value: isMeasured ? format.rate(activityType, stats.mean_speed_mps) : UNKNOWN,
      ...moving(format.rate(activityType, movingMps)),
    },
    {
      name: 'elevation_gain_m',
      title: t('stats.gain'),
      value: hasClimb ? format.climb(elevation_gain_m, stats.elevation_gain_interval_m) : UNKNOWN,
      ...(hasClimb && elevation_loss_m !== undefined
        ? { detail: t('headline.loss', { value: format.climb(elevation_loss_m, stats.elevation_loss_interval_m) }) }
        : {}),
    },
  ]
}

const COLOURS = { running: 'teal.9', paused: 'orange.9', stopped: 'gray.7' } as const

/** The state of a track as a badge, by text and not by colour alone. */
export function StateBadge({ state }: { state: SharedTrack['state'] }) {
  const { t } = useTranslation()
  return (
    <Badge variant="filled" size="sm" color={COLOURS[state]} miw="max-content">
      {t(`state.${state}`)}
    </Badge>
  )
}
