import type { TFunction } from 'i18next'
import type uPlot from 'uplot'
import type { Format } from '../i18n/format.ts'
import { type BandLook, TIME_STEPS_SEC } from '../tracks/band-options.ts'
import type { DrawnSeries } from '../tracks/drawn-series.ts'
import { elevationRange } from '../tracks/profile-bands.ts'
import { type GapOverDistance, valueAt } from './gap-over-distance.ts'
import { LETTERS } from './sides.tsx'

/** A chart of two tracks: its values at each step of the way, its look, and its name. */
type ComparedBand = Pick<BandLook, 'line' | 'area' | 'secondLine' | 'isBroken' | 'range' | 'ticks' | 'tickLabel'> & {
  name: 'gap' | 'elevation'
  title: string
  values: readonly (number | null)[]
  secondValues?: readonly (number | null)[]
}

type Look = { format: Format; t: TFunction; colours: readonly [string, string]; ink: string }

/** Returns the band with the time between the tracks: above zero the first one is ahead. */
export function gapBand({ gapSec }: GapOverDistance, { format, t, colours, ink }: Look): ComparedBand | undefined {
  const known = gapSec.filter((sec) => sec !== null)
  if (known.length < 2) return undefined
  const range = gapRange(known)
  return {
    name: 'gap',
    title: t('comparison.gap'),
    values: gapSec,
    line: ink,
    area: (plot) => bySign(plot, colours),
    isBroken: true,
    range,
    ticks: gapTicks(range),
    tickLabel: (sec) => gapWord(sec, format),
  }
}

/** A gap of some seconds must not look like a rout. */
const LEAST_GAP_SEC = 20

function gapRange(known: readonly number[]): { from: number; to: number } {
  const [low, high] = known.reduce(([least, most], sec) => [Math.min(least, sec), Math.max(most, sec)], [0, 0])
  const room = Math.max((high - low) * 0.1, (LEAST_GAP_SEC - (high - low)) / 2)
  return { from: low - room, to: high + room }
}

const MAX_TICKS = 5

/** Returns round times, with zero among them. */
function gapTicks({ from, to }: { from: number; to: number }): number[] {
  const steps = [5, ...TIME_STEPS_SEC]
  const step = steps.find((sec) => (to - from) / sec <= MAX_TICKS) ?? steps[steps.length - 1]
  const ticks: number[] = []
  for (let sec = Math.ceil(from / step) * step; sec <= to; sec += step) ticks.push(sec)
  return ticks
}

/** Returns a gap with the letter of who is ahead: `A 1:34`. */
export function gapWord(sec: number, format: Format): string {
  const said = format.duration(Math.abs(sec))
  return Math.round(sec) === 0 ? said : `${LETTERS[sec > 0 ? 0 : 1]} ${said}`
}

/** Returns a fill with the colour of the first above zero and that of the second below. */
function bySign(plot: uPlot, [above, below]: readonly [string, string]): CanvasGradient | string {
  const { top, height } = plot.bbox
  const zero = (plot.valToPos(0, 'y', true) - top) / height
  // System colours have no transparent form.
  if (!above.startsWith('#') || !(zero >= 0 && zero <= 1)) return 'transparent'
  const gradient = plot.ctx.createLinearGradient(0, top, 0, top + height)
  gradient.addColorStop(0, `${above}59`)
  gradient.addColorStop(zero, `${above}59`)
  gradient.addColorStop(zero, `${below}59`)
  gradient.addColorStop(1, `${below}59`)
  return gradient
}

/** Returns the band with the altitudes of both; undefined if neither has any. */
export function elevationBand(
  { passages }: GapOverDistance,
  series: readonly [DrawnSeries, DrawnSeries],
  { format, t, colours }: Look,
): ComparedBand | undefined {
  const { metersPerHigh, high } = format.units
  const [values, secondValues] = ([0, 1] as const).map((side) =>
    passages[side].map((passage) => {
      const meters = valueAt(series[side].altitude_smoothed, passage)
      return meters === null ? null : meters / metersPerHigh
    }),
  )
  const all = [...values, ...secondValues]
  if (all.filter((value) => value !== null).length < 2) return undefined
  return {
    name: 'elevation',
    title: t('track.elevation'),
    values,
    secondValues,
    line: colours[0],
    area: 'transparent',
    secondLine: colours[1],
    range: elevationRange(all),
    ticks: undefined,
    tickLabel: (value) => `${format.number(value)} ${high}`,
  }
}
