import { Box, Group, Paper, SegmentedControl, Slider, Stack, Text, Title } from '@mantine/core'
import { type KeyboardEvent, useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useFormat } from '../i18n/format.ts'
import { useChartColours } from './chart-colours.ts'
import type { DrawnSeries } from './drawn-series.ts'
import type { IndexRange } from './index-range.ts'
import { ProfileBand } from './profile-band.tsx'
import { type Band, useProfileBands } from './profile-bands.ts'
import { usePointWords } from './use-point-words.ts'

/** The horizontal axis of a profile. */
type ProfileAxis = 'distance' | 'time'

type ProfileProps = {
  series: DrawnSeries
  activityType: string
  cursor: number | undefined
  highlight: IndexRange | undefined
  /** The pointer is at a point; undefined once it has left. */
  onCursor(index: number | undefined): void
  /** A point was chosen, and stays. */
  onPick(index: number): void
}

const BAND_PX = 130
const BAND_WITH_AXIS_PX = 162

/**
 * Elevation and pace or speed along a track, with the values at one point: by pointer, or by keyboard on the slider.
 */
export function Profile({ series, activityType, cursor, highlight, onCursor, onPick }: ProfileProps) {
  const { t } = useTranslation()
  const format = useFormat()
  const colours = useChartColours()
  const [along, setAlong] = useState<ProfileAxis>('distance')
  const bands = useProfileBands(series, activityType)
  const x = useMemo(() => positions(series, along, format.units.metersPerFar), [series, along, format])
  if (bands.length === 0) return null
  return (
    <Paper withBorder p="md" bg="var(--panel-background)" component="section" aria-label={t('track.profile')}>
      <Group justify="space-between" mb="xs">
        <Title order={2}>{t('track.profile')}</Title>
        <SegmentedControl
          size="xs"
          aria-label={t('track.along')}
          value={along}
          onChange={(value) => setAlong(value as ProfileAxis)}
          data={[
            { value: 'distance', label: t('track.byDistance') },
            { value: 'time', label: t('track.byTime') },
          ]}
        />
      </Group>
      <Stack gap={4}>
        {bands.map(({ name, values, title, extremes, ...look }, index) => (
          <div key={name}>
            <BandLegend title={title} extremes={extremes} line={look.line} area={look.area} />
            <ProfileBand
              {...look}
              x={x}
              values={values}
              label={[title, ...extremes].join(', ')}
              format={format}
              colours={colours}
              along={along}
              hasAxis={index === bands.length - 1}
              heightPx={index === bands.length - 1 ? BAND_WITH_AXIS_PX : BAND_PX}
              cursor={cursor}
              highlight={highlight}
              onCursor={onCursor}
              onPick={onPick}
            />
          </div>
        ))}
      </Stack>
      <PointSlider series={series} activityType={activityType} cursor={cursor} onPick={onPick} />
    </Paper>
  )
}

/** The name of a band in the colour of its line, and its extremes. */
function BandLegend({ title, extremes, line, area }: Pick<Band, 'title' | 'extremes' | 'line' | 'area'>) {
  return (
    <Group gap={8} wrap="wrap" className="figures">
      <Box
        aria-hidden
        w={18}
        h={12}
        style={{ background: area, borderTop: `3px solid ${line}`, forcedColorAdjust: 'none' }}
      />
      <Text size="sm" fw={600}>
        {title}
      </Text>
      <Text size="sm" c="dimmed">
        {extremes.join(' · ')}
      </Text>
    </Group>
  )
}

type PointSliderProps = Pick<ProfileProps, 'series' | 'activityType' | 'cursor' | 'onPick'>

function PointSlider({ series, activityType, cursor, onPick }: PointSliderProps) {
  const { t } = useTranslation()
  const words = usePointWords(series, activityType)
  const last = series.time_ms.length - 1
  return (
    <>
      <div className="profile-slider" onKeyDownCapture={turnPage}>
        <Slider
          mt="sm"
          size="sm"
          min={0}
          max={last}
          value={cursor ?? 0}
          onChange={onPick}
          label={null}
          thumbLabel={t('track.position')}
          thumbValueText={words}
        />
      </div>
      <Text size="sm" mt="xs" mih="1.5em" className="figures">
        {cursor === undefined ? (
          <Text span c="dimmed" inherit>
            {t('track.pointAt')}
          </Text>
        ) : (
          words(cursor)
        )}
      </Text>
    </>
  )

  /**
   * The slider itself knows arrows, Home and End. ARIA's pattern for sliders has larger steps for Page Up and Page
   * Down.
   */
  function turnPage(event: KeyboardEvent): void {
    const direction = { PageUp: 1, PageDown: -1 }[event.key]
    if (direction === undefined) return
    event.preventDefault()
    onPick(Math.min(last, Math.max(0, (cursor ?? 0) + direction * Math.max(1, Math.round(last / 10)))))
  }
}

function positions({ distance_meters, time_ms }: DrawnSeries, along: ProfileAxis, metersPerFar: number): number[] {
  return along === 'distance'
    ? distance_meters.map((meters) => meters / metersPerFar)
    : time_ms.map((timeMs) => (timeMs - time_ms[0]) / 1000)
}
