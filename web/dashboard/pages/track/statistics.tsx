import { ActionIcon, Group, Paper, Popover, SimpleGrid, Text, Title } from '@mantine/core'
import { Info } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import type { OperatorTrack, Provenance } from '../../api/tracks.ts'
import type { Key } from '../../i18n/en.ts'
import { type Format, useFormat } from '../../i18n/format.ts'
import { ruleKey } from './rule-key.ts'

type Stats = OperatorTrack['stats']
type Figure = { name: string; key: Key; formatValue(stats: Stats, format: Format): string | undefined }

const FIGURES: Figure[] = [
  {
    name: 'distance_meters',
    key: 'stats.distance',
    formatValue: (stats, format) => format.distance(stats.distance_meters),
  },
  { name: 'duration_sec', key: 'stats.duration', formatValue: (stats, format) => format.duration(stats.duration_sec) },
  {
    name: 'moving_time_sec',
    key: 'stats.moving',
    formatValue: ({ moving_time_sec: sec }, format) => (sec === undefined ? undefined : format.duration(sec)),
  },
  {
    name: 'paused_time_sec',
    key: 'stats.paused',
    formatValue: ({ paused_time_sec: sec }, format) => (sec === undefined ? undefined : format.duration(sec)),
  },
  {
    name: 'elevation_gain_m',
    key: 'stats.gain',
    formatValue: (stats, format) => format.meters(stats.elevation_gain_m),
  },
  {
    name: 'elevation_loss_m',
    key: 'stats.loss',
    formatValue: (stats, format) => format.meters(stats.elevation_loss_m),
  },
  {
    name: 'mean_speed_mps',
    key: 'stats.meanSpeed',
    formatValue: (stats, format) => format.speed(stats.mean_speed_mps),
  },
  {
    name: 'max_speed_mps',
    key: 'stats.maxSpeed',
    formatValue: ({ max_speed_mps: mps }, format) => (mps === undefined ? undefined : format.speed(mps)),
  },
  { name: 'pace_sec_per_km', key: 'stats.pace', formatValue: (stats, format) => format.pace(stats.pace_sec_per_km) },
  {
    name: 'max_altitude_m',
    key: 'stats.highest',
    formatValue: ({ max_altitude_m: meters }, format) => (meters === undefined ? undefined : format.meters(meters)),
  },
  {
    name: 'min_altitude_m',
    key: 'stats.lowest',
    formatValue: ({ min_altitude_m: meters }, format) => (meters === undefined ? undefined : format.meters(meters)),
  },
  { name: 'points_count', key: 'stats.points', formatValue: (stats, format) => format.count(stats.points_count) },
]

/** The statistics of a track, each with its provenance. */
export function Statistics({ track }: { track: OperatorTrack }) {
  const { t } = useTranslation()
  const format = useFormat()
  return (
    <section aria-label={t('stats.title')}>
      <Title order={2} mb="sm">
        {t('stats.title')}
      </Title>
      <SimpleGrid cols={{ base: 2, sm: 3, lg: 6 }} spacing="sm">
        {FIGURES.map(({ name, key, formatValue }) => {
          const value = formatValue(track.stats, format)
          if (value === undefined) return null
          const provenance = track.provenance.find(({ statistic }) => statistic === name)
          return <FigureCard key={name} label={t(key)} value={value} provenance={provenance} />
        })}
      </SimpleGrid>
    </section>
  )
}

type FigureCardProps = { label: string; value: string; provenance: Provenance | undefined }

function FigureCard({ label, value, provenance }: FigureCardProps) {
  return (
    <Paper withBorder p="sm" bg="var(--panel-background)">
      <Group justify="space-between" wrap="nowrap" align="flex-start" gap={4}>
        <Text size="sm" c="dimmed">
          {label}
        </Text>
        {provenance !== undefined && <How label={label} provenance={provenance} />}
      </Group>
      <Text fw={650} size="lg" className="figures">
        {value}
      </Text>
    </Paper>
  )
}

function How({ label, provenance }: { label: string; provenance: Provenance }) {
  const { t } = useTranslation()
  const key = ruleKey(provenance.rule)
  return (
    <Popover width={300} withArrow trapFocus={false} position="bottom-end">
      <Popover.Target>
        <ActionIcon variant="subtle" color="gray" size="sm" aria-label={t('stats.how', { figure: label })}>
          <Info size={14} aria-hidden />
        </ActionIcon>
      </Popover.Target>
      <Popover.Dropdown aria-label={t('stats.how', { figure: label })}>
        <Text size="sm" lang={key === undefined ? 'en' : undefined}>
          {key === undefined ? provenance.explanation : t(key)}
        </Text>
        <Text size="xs" c="dimmed" mt={4}>
          {t(provenance.source === 'device' ? 'stats.fromDevice' : 'stats.fromServer')}
        </Text>
      </Popover.Dropdown>
    </Popover>
  )
}
