import type uPlot from 'uplot'
import type { Format } from '../../i18n/format.ts'

/** Whole numbers alone, close enough to each other that any height has several: 1, 2, 5, 10, 20 … 500 million. */
export const COUNT_STEPS = Array.from({ length: 27 }, (_, at) => [1, 2, 5][at % 3] * 10 ** Math.floor(at / 3))

/** The part of an axis that makes it one of counts. */
export function countAxis(format: Format): Pick<uPlot.Axis, 'incrs' | 'values' | 'size'> {
  return { incrs: COUNT_STEPS, values: (_plot, ticks) => ticks.map((count) => format.countShort(count)), size: 56 }
}
