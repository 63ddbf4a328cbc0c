import type uPlot from 'uplot'
import type { Format } from '../../i18n/format.ts'

/** Steps between ticks, whole numbers only, so that every height has several: 1, 2, 5, 10, 20 … 500 million. */
export const COUNT_STEPS = Array.from({ length: 27 }, (_, at) => [1, 2, 5][at % 3] * 10 ** Math.floor(at / 3))

/** Returns the options of an axis of counts. */
export function countAxis(format: Format): Pick<uPlot.Axis, 'incrs' | 'values' | 'size'> {
  return { incrs: COUNT_STEPS, values: (_plot, ticks) => ticks.map((count) => format.countShort(count)), size: 56 }
}
