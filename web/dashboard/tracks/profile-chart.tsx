import { useComputedColorScheme } from '@mantine/core'
import { useElementSize, useMergedRef } from '@mantine/hooks'
import { useEffect, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import uPlot from 'uplot'
import 'uplot/dist/uPlot.min.css'
import type { TrackSeries } from '../api/tracks.ts'
import { type Format, useFormat } from '../i18n/format.ts'
import { speedScaleEnd } from './smooth-speeds.ts'

/** The horizontal axis of a profile. */
export type ProfileAxis = 'distance' | 'time'

type ProfileChartProps = {
  series: TrackSeries
  /** The maximum speed of the statistics, if known. */
  maxSpeedMps: number | undefined
  axis: ProfileAxis
  cursor: number | undefined
  onCursor(index: number | undefined): void
}

const HEIGHT_PX = 220
/** Below this width, the scales at both sides would leave the lines too little room. */
const NARROW_PX = 480
const LIGHT = { text: '#495057', grid: '#e9ecef', elevation: '#0b7285', area: '#0b728522', speed: '#c2255c' }
const DARK = { text: '#c1c2c5', grid: '#373a40', elevation: '#3bc9db', area: '#3bc9db22', speed: '#f783ac' }

/** A chart of elevation and speed along a track. The page also gives its values as text. */
export function ProfileChart({ series, maxSpeedMps, axis, cursor, onCursor }: ProfileChartProps) {
  const { t } = useTranslation()
  const format = useFormat()
  const dark = useComputedColorScheme('light', { getInitialValueInEffect: false }) === 'dark'
  const { ref: measured, width } = useElementSize()
  const container = useRef<HTMLDivElement>(null)
  const ref = useMergedRef(measured, container)
  const plot = useRef<uPlot>(undefined)
  const told = useRef(onCursor)
  told.current = onCursor
  const isMade = width > 0

  // biome-ignore lint/correctness/useExhaustiveDependencies: a new width is set below, without a full redraw
  useEffect(() => {
    if (!isMade) return
    const labels = { elevation: t('track.elevation'), speed: t('track.speed') }
    const topKmh = speedScaleEnd(series.speed_mps, maxSpeedMps) * 3.6
    const options = optionsOf({ axis, topKmh, colours: dark ? DARK : LIGHT, format, labels, widthPx: width })
    options.hooks = { setCursor: [({ cursor: { idx } }) => told.current(idx ?? undefined)] }
    const made = new uPlot(options, dataOf(series, axis), container.current!)
    plot.current = made
    return () => {
      plot.current = undefined
      made.destroy()
    }
  }, [series, maxSpeedMps, axis, dark, format, t, isMade])

  useEffect(() => {
    if (width > 0) plot.current?.setSize({ width, height: HEIGHT_PX })
  }, [width])

  useEffect(() => {
    const chart = plot.current
    if (chart === undefined || (chart.cursor.idx ?? undefined) === cursor) return
    const left = cursor === undefined ? -10 : chart.valToPos(chart.data[0][cursor], 'x')
    chart.setCursor({ left, top: cursor === undefined ? -10 : 1 }, false)
  }, [cursor])

  return <div ref={ref} role="img" aria-label={t('track.profileLabel')} style={{ height: HEIGHT_PX }} />
}

function dataOf(series: TrackSeries, axis: ProfileAxis): uPlot.AlignedData {
  const x = axis === 'distance' ? series.distance_meters.map((meters) => meters / 1000) : series.time_ms.map(toSec)
  return [x, series.altitude_smoothed, series.speed_mps.map((mps) => (mps === null ? null : mps * 3.6))]
}

function toSec(timeMs: number): number {
  return timeMs / 1000
}

type Look = {
  axis: ProfileAxis
  /** The upper end of the speed scale. */
  topKmh: number
  colours: typeof LIGHT
  format: Format
  labels: { elevation: string; speed: string }
  widthPx: number
}

function optionsOf({ axis, topKmh, colours, format, labels, widthPx }: Look): uPlot.Options {
  const base = { stroke: colours.text, grid: { stroke: colours.grid, width: 1 }, ticks: { stroke: colours.grid } }
  const isNarrow = widthPx < NARROW_PX
  const unitAtTop = (values: string[], plain: (i: number) => string) =>
    isNarrow ? values.map((value, i) => (i === values.length - 1 ? value : plain(i))) : values
  const along = axis === 'distance' ? (x: number) => `${format.number(x)} km` : (x: number) => format.clock(x * 1000)
  return {
    width: widthPx,
    height: HEIGHT_PX,
    legend: { show: false },
    cursor: { y: false, drag: { setScale: false, x: false } },
    scales: { x: { time: false }, speed: { range: [0, Math.max(1, topKmh * 1.05)] } },
    series: [
      {},
      { label: labels.elevation, scale: 'elevation', stroke: colours.elevation, fill: colours.area, width: 2 },
      { label: labels.speed, scale: 'speed', stroke: colours.speed, width: 1.25 },
    ],
    axes: [
      { ...base, values: (_plot, ticks) => ticks.map(along), space: 80 },
      {
        ...base,
        scale: 'elevation',
        values: (_plot, ticks) => unitAtTop(ticks.map(format.meters), (i) => format.number(ticks[i])),
        size: isNarrow ? 54 : 64,
      },
      {
        ...base,
        scale: 'speed',
        side: 1,
        grid: { show: false },
        values: (_plot, ticks) => {
          const plain = ticks.map(format.number)
          return unitAtTop(
            plain.map((kmh) => `${kmh} km/h`),
            (i) => plain[i],
          )
        },
        size: isNarrow ? 66 : 72,
      },
    ],
  }
}
