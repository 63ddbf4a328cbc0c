import { useComputedColorScheme } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import type uPlot from 'uplot'
import type { Format } from '../i18n/format.ts'
import type { IndexRange } from './drawn-series.ts'

/** A point of the line that stands out, with its value as text. */
export type BandMark = { index: number; text: string; isHigh: boolean }

/** The look of a band of a profile. */
export type BandLook = {
  format: Format
  colours: ChartColours
  line: string
  /** Colour of the area under the line, or down to zero; or what makes it when the band is drawn. */
  area: string | ((plot: uPlot) => CanvasGradient | string)
  /** A second line, dashed, so that it is told from the first without colours. */
  secondLine?: string
  /** True for a line that ends where a value is not known, rather than going on to the next one. */
  isBroken?: boolean
  heightPx: number
  /** True for the band that has the horizontal axis. */
  hasAxis: boolean
  /** Kind of the horizontal axis: distance in the reader's units, or seconds since the start. */
  along: 'distance' | 'time'
  range: { from: number; to: number }
  /** Values with a label on the vertical axis; undefined for round ones. */
  ticks: readonly number[] | undefined
  tickLabel(value: number): string
  marks: readonly BandMark[]
}

/** Seconds that divide an axis of times into hours, minutes and their usual parts. */
export const TIME_STEPS_SEC = [
  10, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200, 10_800, 21_600, 43_200, 86_400, 172_800,
]

/** Room for the labels of the vertical axis: the same in both bands, so that they stand exactly under each other. */
const AXIS_PX = 78
const NARROW_AXIS_PX = 62
const NARROW_PX = 480
const X_AXIS_PX = 32
const FONT = '12px system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", sans-serif'

/** Returns the options of a band's chart. `highlight` is asked for whenever it is drawn. */
export function bandOptions(look: BandLook, widthPx: number, highlight: () => IndexRange | undefined): uPlot.Options {
  const { colours, line, area, secondLine, isBroken = false, range, heightPx } = look
  const common = { width: 2, spanGaps: !isBroken, points: { show: false } }
  return {
    width: widthPx,
    height: heightPx,
    legend: { show: false },
    cursor: {
      y: false,
      drag: { setScale: false, x: false },
      points: { size: 9, fill: (_plot, series) => (series === 1 ? line : secondLine!), stroke: colours.halo },
    },
    padding: [14, 12, look.hasAxis ? 0 : 4, 0],
    scales: { x: { time: false }, y: { range: [range.from, range.to] } },
    series: [
      {},
      { stroke: line, fill: area, ...common },
      ...(secondLine === undefined ? [] : [{ stroke: secondLine, dash: [7, 5], ...common }]),
    ],
    axes: [horizontalAxis(look), verticalAxis(look, widthPx)],
    hooks: {
      drawClear: [(plot) => shadeRange(plot, highlight(), colours.highlight)],
      draw: [(plot) => drawMarks(plot, look)],
    },
  }
}

function horizontalAxis({ colours, format, along, hasAxis }: BandLook): uPlot.Axis {
  const base = { stroke: colours.text, font: FONT, grid: { stroke: colours.grid, width: 1 } }
  if (!hasAxis) return { ...base, size: 0, ticks: { show: false }, values: () => [], ...stepsOf(along) }
  const word = (value: number) =>
    along === 'distance' ? `${format.number(value)} ${format.units.far}` : format.duration(value)
  return {
    ...base,
    ...stepsOf(along),
    size: X_AXIS_PX,
    space: 80,
    ticks: { stroke: colours.grid },
    values: (_plot, ticks) => ticks.map(word),
  }
}

function stepsOf(along: BandLook['along']): uPlot.Axis {
  return along === 'time' ? { incrs: TIME_STEPS_SEC, space: 80 } : { space: 80 }
}

function verticalAxis({ colours, ticks, tickLabel }: BandLook, widthPx: number): uPlot.Axis {
  return {
    stroke: colours.text,
    font: FONT,
    grid: { stroke: colours.grid, width: 1 },
    ticks: { show: false },
    size: widthPx < NARROW_PX ? NARROW_AXIS_PX : AXIS_PX,
    space: 28,
    ...(ticks === undefined ? {} : { splits: () => [...ticks] }),
    values: (_plot, values) => values.map(tickLabel),
  }
}

/** Shades a part of the track behind the line. */
function shadeRange(plot: uPlot, part: IndexRange | undefined, colour: string): void {
  if (part === undefined) return
  const { ctx, bbox } = plot
  const place = (index: number) => plot.valToPos(plot.data[0][index], 'x', true)
  const from = place(part.from)
  ctx.save()
  ctx.fillStyle = colour
  ctx.fillRect(from, bbox.top, Math.max(2, place(part.to) - from), bbox.height)
  ctx.restore()
}

/** Draws a dot at each mark, with its value beside it, within the plot. */
function drawMarks(plot: uPlot, { marks, colours, line }: BandLook): void {
  const { ctx, bbox } = plot
  const scale = bbox.width / plot.over.clientWidth || 1
  ctx.save()
  ctx.textAlign = 'left'
  ctx.textBaseline = 'alphabetic'
  ctx.font = FONT.replace('12px', `600 ${12 * scale}px`)
  for (const { index, text, isHigh } of marks) {
    const value = plot.data[1][index]
    if (value === null || value === undefined) continue
    const x = plot.valToPos(plot.data[0][index], 'x', true)
    const y = plot.valToPos(value, 'y', true)
    ctx.beginPath()
    ctx.arc(x, y, 4 * scale, 0, 2 * Math.PI)
    ctx.fillStyle = line
    ctx.strokeStyle = colours.halo
    ctx.lineWidth = 2 * scale
    ctx.fill()
    ctx.stroke()
    const width = ctx.measureText(text).width
    const left = Math.min(Math.max(x - width / 2, bbox.left + 2), bbox.left + bbox.width - width - 2)
    const baseline = isHigh ? y - 8 * scale : y + 16 * scale
    ctx.lineWidth = 3 * scale
    ctx.lineJoin = 'round'
    ctx.strokeText(text, left, baseline)
    ctx.fillStyle = colours.text
    ctx.fillText(text, left, baseline)
  }
  ctx.restore()
}

/** The colours of a profile's bands. */
export type ChartColours = {
  text: string
  grid: string
  halo: string
  elevation: string
  elevationArea: string
  rate: string
  rateArea: string
  highlight: string
}

const LIGHT: ChartColours = {
  text: '#495057',
  grid: '#e9ecef',
  halo: '#ffffff',
  elevation: '#5f6b3c',
  elevationArea: '#8f9f5f40',
  rate: '#0b7285',
  rateArea: '#0b72851f',
  highlight: '#f59f0033',
}

const DARK: ChartColours = {
  text: '#c1c2c5',
  grid: '#373a40',
  halo: '#1a1b1e',
  elevation: '#b7c687',
  elevationArea: '#8f9f5f40',
  rate: '#3bc9db',
  rateArea: '#3bc9db26',
  highlight: '#fab0053d',
}

/** A canvas does not take part in forced colours by itself; it understands the names of the system's colours. */
const FORCED: ChartColours = {
  text: 'CanvasText',
  grid: 'transparent',
  halo: 'Canvas',
  elevation: 'CanvasText',
  elevationArea: 'transparent',
  rate: 'LinkText',
  rateArea: 'transparent',
  highlight: 'GrayText',
}

/** Returns the colours of charts, which follow the colour scheme and forced colours. */
export function useChartColours(): ChartColours {
  const dark = useComputedColorScheme('light', { getInitialValueInEffect: false }) === 'dark'
  const isForced = useMediaQuery('(forced-colors: active)', false, { getInitialValueInEffect: false })
  if (isForced) return FORCED
  return dark ? DARK : LIGHT
}
