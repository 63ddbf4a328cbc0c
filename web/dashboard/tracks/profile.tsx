import { Box, Group, Paper, SegmentedControl, Slider, Stack, Text, Title } from '@mantine/core'
import { useElementSize, useMergedRef } from '@mantine/hooks'
import { type KeyboardEvent, useEffect, useMemo, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import uPlot from 'uplot'
import 'uplot/dist/uPlot.min.css'
import { useFormat } from '../i18n/format.ts'
import { type BandLook, bandOptions, useChartColours } from './band-options.ts'
import { type DrawnSeries, type IndexRange, usePointWords } from './drawn-series.ts'
import { type Band, useProfileBands } from './profile-bands.ts'

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
  const words = usePointWords(series, activityType)
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
        {bands.map((band, index) => (
          <div key={band.name}>
            <BandLegend band={band} />
            <ProfileBand
              {...band}
              x={x}
              label={[band.title, ...band.extremes].join(', ')}
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
      <PointSlider last={series.time_ms.length - 1} words={words} cursor={cursor} onPick={onPick} />
    </Paper>
  )
}

/** The name of a band in the colour of its line, and its extremes. */
function BandLegend({ band: { title, extremes, line, area } }: { band: Band }) {
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

type PointSliderProps = Pick<ProfileProps, 'cursor' | 'onPick'> & {
  /** The index of the last point. */
  last: number
  /** Returns the values at a point. */
  words(index: number): string
}

/** The point of charts that the keyboard chooses, and its values. */
export function PointSlider({ last, words, cursor, onPick }: PointSliderProps) {
  const { t } = useTranslation()
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

type ProfileBandProps = BandLook & {
  /** Position of each point on the horizontal axis. */
  x: readonly number[]
  values: readonly (number | null)[]
  /** The values of the second line. */
  secondValues?: readonly (number | null)[]
  label: string
  cursor: number | undefined
  highlight: IndexRange | undefined
  onCursor(index: number | undefined): void
  onPick(index: number): void
}

/** One value along a track as a chart. The page also gives its values as text. */
export function ProfileBand(props: ProfileBandProps) {
  const { x, values, secondValues, label, cursor, highlight, onCursor, onPick, ...look } = props
  const { colours, format, marks, range, heightPx, hasAxis, along, ticks, tickLabel, line, area } = look
  const { ref: measured, width } = useElementSize()
  const container = useRef<HTMLDivElement>(null)
  const ref = useMergedRef(measured, container)
  const plot = useRef<uPlot>(undefined)
  const current = useRef({ onCursor, onPick, highlight })
  current.current = { onCursor, onPick, highlight }
  const isMade = width > 0

  // biome-ignore lint/correctness/useExhaustiveDependencies: a new width is set below, without a full redraw
  useEffect(() => {
    if (!isMade) return
    const options = bandOptions(look, width, () => current.current.highlight)
    options.hooks = {
      ...options.hooks,
      setCursor: [({ cursor: { idx } }) => current.current.onCursor(idx ?? undefined)],
    }
    const columns = secondValues === undefined ? [x, values] : [x, values, secondValues]
    const made = new uPlot(options, columns as uPlot.AlignedData, container.current!)
    const pick = () => {
      if (made.cursor.idx != null) current.current.onPick(made.cursor.idx)
    }
    made.over.addEventListener('click', pick)
    plot.current = made
    return () => {
      plot.current = undefined
      made.destroy()
    }
  }, [x, values, secondValues, colours, format, marks, range, hasAxis, along, ticks, tickLabel, line, area, isMade])

  useEffect(() => {
    if (width > 0) plot.current?.setSize({ width, height: heightPx })
  }, [width, heightPx])

  // biome-ignore lint/correctness/useExhaustiveDependencies: the chart reads the highlight when it is drawn
  useEffect(() => {
    plot.current?.redraw(false, false)
  }, [highlight])

  useEffect(() => {
    const chart = plot.current
    if (chart === undefined || (chart.cursor.idx ?? undefined) === cursor) return
    const left = cursor === undefined ? -10 : chart.valToPos(chart.data[0][cursor], 'x')
    chart.setCursor({ left, top: cursor === undefined ? -10 : 1 }, false)
  }, [cursor])

  return <div ref={ref} role="img" aria-label={label} style={{ height: heightPx }} />
}
