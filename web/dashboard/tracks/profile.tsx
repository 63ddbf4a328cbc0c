import { Group, Paper, SegmentedControl, Slider, Text, Title } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { TrackSeries } from '../api/tracks.ts'
import { type Format, useFormat } from '../i18n/format.ts'
import { type ProfileAxis, ProfileChart } from './profile-chart.tsx'

type ProfileProps = {
  series: TrackSeries
  maxSpeedMps: number | undefined
  cursor: number | undefined
  onCursor(index: number | undefined): void
}

/** Elevation and speed along a track, with the values at one point: by pointer, or by keyboard on the slider. */
export function Profile({ series, maxSpeedMps, cursor, onCursor }: ProfileProps) {
  const { t } = useTranslation()
  const format = useFormat()
  const [axis, setAxis] = useState<ProfileAxis>('distance')
  const words = (index: number) => wordsAt(series, index, format)
  return (
    <Paper withBorder p="md" bg="var(--panel-background)">
      <Group justify="space-between" mb="xs">
        <Title order={2}>{t('track.profile')}</Title>
        <SegmentedControl
          size="xs"
          aria-label={t('track.along')}
          value={axis}
          onChange={(value) => setAxis(value as ProfileAxis)}
          data={[
            { value: 'distance', label: t('track.byDistance') },
            { value: 'time', label: t('track.byTime') },
          ]}
        />
      </Group>
      <ProfileChart series={series} maxSpeedMps={maxSpeedMps} axis={axis} cursor={cursor} onCursor={onCursor} />
      <Slider
        mt="sm"
        size="sm"
        min={0}
        max={Math.max(0, series.time_ms.length - 1)}
        value={cursor ?? 0}
        onChange={onCursor}
        label={null}
        thumbLabel={t('track.position')}
        thumbValueText={words}
      />
      <Text size="sm" mt="xs" mih="1.5em" className="figures">
        {cursor === undefined ? (
          <Text span c="dimmed" inherit>
            {t('track.pointAt')}
          </Text>
        ) : (
          words(cursor)
        )}
      </Text>
    </Paper>
  )
}

function wordsAt(series: TrackSeries, index: number, format: Format): string {
  const altitude = series.altitude_smoothed[index] ?? series.altitude[index]
  const speed = series.speed_mps[index]
  return [
    format.time(series.time_ms[index]),
    format.distance(series.distance_meters[index]),
    ...(altitude === null || altitude === undefined ? [] : [format.meters(altitude)]),
    ...(speed === null ? [] : [format.speed(speed)]),
  ].join(' · ')
}
