import { Group, SegmentedControl, Stack } from '@mantine/core'
import { MapPinOff } from 'lucide-react'
import { useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { EmptyState } from '../../ui/empty-state.tsx'
import type { TrackSeries } from '../api/tracks.ts'
import { ColourLegend } from './colour-legend.tsx'
import { drawnSeries } from './drawn-series.ts'
import { Profile } from './profile.tsx'
import type { ColouredBy } from './track-layers.ts'
import { TrackMap } from './track-map.tsx'

type TrackPictureProps = {
  series: TrackSeries
  isUnderWay: boolean
  /** The maximum speed of the statistics, if known. */
  maxSpeedMps?: number
}

/** A track as a map and a profile, with one cursor for both. */
export function TrackView({ series: given, isUnderWay, maxSpeedMps }: TrackPictureProps) {
  const { t } = useTranslation()
  const series = useMemo(() => drawnSeries(given), [given])
  const [cursor, setCursor] = useState<number>()
  const [colouredBy, setColouredBy] = useState<ColouredBy>('speed')
  if (series.time_ms.length === 0) {
    return (
      <EmptyState icon={MapPinOff} title={t('track.noPoints')}>
        {t('track.noPointsHelp')}
      </EmptyState>
    )
  }
  const shown = cursor !== undefined && cursor < series.time_ms.length ? cursor : undefined
  return (
    <Stack gap="sm">
      <Group justify="space-between">
        <SegmentedControl
          size="xs"
          aria-label={t('track.colouredBy')}
          value={colouredBy}
          onChange={(value) => setColouredBy(value as ColouredBy)}
          data={[
            { value: 'speed', label: t('track.speed') },
            { value: 'elevation', label: t('track.elevation') },
          ]}
        />
        <ColourLegend series={series} colouredBy={colouredBy} />
      </Group>
      <TrackMap
        series={series}
        isUnderWay={isUnderWay}
        colouredBy={colouredBy}
        cursor={shown}
        onCursor={setCursor}
        height="max(320px, 48dvh)"
      />
      <Profile series={series} maxSpeedMps={maxSpeedMps} cursor={shown} onCursor={setCursor} />
    </Stack>
  )
}
