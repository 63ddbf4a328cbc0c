import { Group, Paper, SimpleGrid, Text, Title } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import type { OperatorTrack } from '../../api/tracks.ts'
import type { Key } from '../../i18n/en.ts'
import { type Format, isPaced, useFormat } from '../../i18n/format.ts'
import { FigureOrigin } from './figure-origin.tsx'
import { shownStats } from './shown-stats.ts'

type Stats = OperatorTrack['stats']
type Figure = { name: string; key: Key; value: string | undefined }

/** The statistics of a track that are not in its headline, each with its origin. */
export function Statistics({ track }: { track: OperatorTrack }) {
  const { t } = useTranslation()
  const format = useFormat()
  return (
    <section aria-label={t('stats.title')}>
      <Title order={2} mb="sm">
        {t('stats.title')}
      </Title>
      <SimpleGrid cols={{ base: 2, sm: 3, lg: 6 }} spacing="sm">
        {figuresOf(shownStats(track), track.activity_type, format).map(({ name, key, value }) => {
          if (value === undefined) return null
          const provenance = track.provenance.find(({ statistic }) => statistic === name)
          return (
            <Paper withBorder p="sm" bg="var(--panel-background)" key={name}>
              <Group justify="space-between" wrap="nowrap" align="flex-start" gap={4}>
                <Text size="sm" c="dimmed" className="figure-name">
                  {t(key)}
                </Text>
                <FigureOrigin label={t(key)} provenance={provenance} />
              </Group>
              <Text fw={650} size="lg" className="figures">
                {value}
              </Text>
            </Paper>
          )
        })}
      </SimpleGrid>
    </section>
  )
}

function figuresOf(stats: Stats, activityType: string, format: Format): Figure[] {
  const whenKnown = (value: number | undefined, said: (known: number) => string) =>
    value === undefined ? undefined : said(value)
  const paced = isPaced(activityType)
  // One point takes no time.
  const isMeasured = stats.points_count > 1
  return [
    {
      name: 'moving_time_sec',
      key: 'stats.moving',
      value: isMeasured ? whenKnown(stats.moving_time_sec, format.duration) : undefined,
    },
    {
      name: 'paused_time_sec',
      key: 'stats.paused',
      value: isMeasured ? whenKnown(stats.paused_time_sec, format.duration) : undefined,
    },
    {
      name: 'max_speed_mps',
      key: paced ? 'stats.fastestPace' : 'stats.maxSpeed',
      value: whenKnown(stats.max_speed_mps, (mps) => format.rate(activityType, mps)),
    },
    { name: 'max_altitude_m', key: 'stats.highest', value: whenKnown(stats.max_altitude_m, format.meters) },
    { name: 'min_altitude_m', key: 'stats.lowest', value: whenKnown(stats.min_altitude_m, format.meters) },
    { name: 'points_count', key: 'stats.points', value: format.count(stats.points_count) },
  ]
}
