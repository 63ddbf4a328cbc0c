import type { TFunction } from 'i18next'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { colourRange } from '../../map/coloured-line.ts'
import { type Format, isPaced, useFormat } from '../i18n/format.ts'
import { type BandLook, type BandMark, type ChartColours, useChartColours } from './band-options.ts'
import type { DrawnSeries } from './drawn-series.ts'
import { LEAST_SPREAD } from './track-layers.ts'

/** A band of a profile: its values, its look, and its line of the legend. */
export type Band = Pick<BandLook, 'line' | 'range' | 'ticks' | 'tickLabel' | 'marks'> & {
  name: 'elevation' | 'rate'
  area: string
  values: readonly (number | null)[]
  title: string
  /** The extremes in words, each with its place. */
  extremes: string[]
}

/** Returns the bands of a profile: elevation and pace or speed, each only if it is known at two points. */
export function useProfileBands(series: DrawnSeries, activityType: string): Band[] {
  const { t } = useTranslation()
  const format = useFormat()
  const colours = useChartColours()
  return useMemo(() => {
    const bands = [elevationBand(series, format, colours, t), rateBand(series, activityType, format, colours, t)]
    return bands.filter(({ values }) => values.filter((value) => value !== null).length > 1)
  }, [series, activityType, format, colours, t])
}

function elevationBand(series: DrawnSeries, format: Format, colours: ChartColours, t: TFunction): Band {
  const { metersPerHigh, high } = format.units
  const values = series.altitude_smoothed.map((meters) => (meters === null ? null : meters / metersPerHigh))
  const { max_altitude_m: highest, min_altitude_m: lowest } = series.extremes
  const marks: BandMark[] = []
  const extremes: string[] = []
  if (highest !== undefined) {
    marks.push({ index: highest.index, text: format.meters(highest.value), isHigh: true })
    extremes.push(
      t('profile.highest', { value: format.meters(highest.value), at: placeOf(series, highest.index, format) }),
    )
  }
  if (lowest !== undefined && highest !== undefined && lowest.value < highest.value) {
    marks.push({ index: lowest.index, text: format.meters(lowest.value), isHigh: false })
    extremes.push(
      t('profile.lowest', { value: format.meters(lowest.value), at: placeOf(series, lowest.index, format) }),
    )
  }
  return {
    name: 'elevation',
    values,
    title: t('track.elevation'),
    line: colours.elevation,
    area: colours.elevationArea,
    range: elevationRange(values),
    ticks: undefined,
    tickLabel: (value) => `${format.number(value)} ${high}`,
    marks,
    extremes,
  }
}

/** On a flat track the noise of an altimeter must not look like mountains. */
const LEAST_HEIGHT = 20

/** Returns a scale with some room above and below the line for the labels of its extremes. */
export function elevationRange(values: readonly (number | null)[]): { from: number; to: number } {
  const known = values.filter((value) => value !== null)
  const [low, high] = known.reduce(
    ([least, most], value) => [Math.min(least, value), Math.max(most, value)],
    [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY],
  )
  const room = Math.max(LEAST_HEIGHT, (high - low) * 1.6) - (high - low)
  return { from: low - room / 2, to: high + room / 2 }
}

function rateBand(
  series: DrawnSeries,
  activityType: string,
  format: Format,
  colours: ChartColours,
  t: TFunction,
): Band {
  const paced = isPaced(activityType)
  const { metersPerFar, speed } = format.units
  // Speeds in the reader's units, so that the axis has round ones. Paces stand at the heights of their speeds: an axis
  // of minutes would end in infinity where somebody stands.
  const perMps = paced ? 1 : 3600 / metersPerFar
  const values = series.speed_mps.map((mps) => (mps === null ? null : mps * perMps))
  const range = rateRange(activityType, values)
  // No speed is the fastest if all are alike.
  const isSteady = colourRange(series.speed_mps, LEAST_SPREAD.rate) === undefined
  const fastest = isSteady ? undefined : series.extremes.max_speed_mps
  const said = fastest && format.rate(activityType, fastest.value)
  return {
    name: 'rate',
    values,
    title: t(paced ? 'stats.pace' : 'track.speed'),
    line: colours.rate,
    area: colours.rateArea,
    range,
    ticks: paced ? paceTicks(range, metersPerFar) : undefined,
    tickLabel: (value) => (paced ? format.rate(activityType, value) : `${format.number(value)} ${speed}`),
    marks: fastest && said ? [{ index: fastest.index, text: said, isHigh: true }] : [],
    extremes:
      fastest && said ? [t('profile.fastest', { value: said, at: placeOf(series, fastest.index, format) })] : [],
  }
}

function placeOf(series: DrawnSeries, index: number, format: Format): string {
  return format.distance(series.distance_meters[index])
}

/** Paces in seconds for a kilometre or a mile that a runner reads at a glance. */
const PACES = [120, 150, 180, 210, 240, 270, 300, 360, 420, 480, 540, 600, 720, 900, 1200, 1800, 3600]

/** Labels of an axis need this part of its length between them. */
const LABEL_SHARE = 0.17

/** The ends of a scale of speeds in metres per second. */
type RateRange = { from: number; to: number }

/**
 * Returns the scale for speeds. It contains the fastest. On foot it begins at half the median, because a standstill
 * would take most of the room from the paces.
 */
export function rateRange(activityType: string, speeds: readonly (number | null)[]): RateRange {
  const known = speeds.filter((mps) => mps !== null).sort((a, b) => a - b)
  const fastest = known.at(-1) ?? 0
  const median = known[known.length >> 1] ?? 0
  return { from: isPaced(activityType) ? median / 2 : 0, to: Math.max(fastest * 1.15, 0.5) }
}

/** Returns the speeds, in metres per second, whose paces label an axis, the fastest first and none too near another. */
export function paceTicks({ from, to }: RateRange, metersPerFar: number): number[] {
  const ticks: number[] = []
  for (const sec of PACES) {
    const mps = metersPerFar / sec
    if (mps > to || mps < from) continue
    if (ticks.length === 0 || ticks[ticks.length - 1] - mps >= (to - from) * LABEL_SHARE) ticks.push(mps)
  }
  return ticks.reverse()
}
