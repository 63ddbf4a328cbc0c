import { type Figure, keepsGoal } from './figure.ts'
import { formatGoal, subjectOf, withUnit } from './format.ts'

/** Formats results for the terminal. */
export function reportTable(figures: readonly Figure[]): string {
  return figures
    .map((figure) => {
      const { value, unit, goal, beside } = figure
      const notes = [formatGoal(goal, unit), ...(keepsGoal(figure) ? [] : ['MISSED']), beside ?? '']
      const text = notes.filter((note) => note !== '').join('; ')
      return `  ${withUnit(value, unit).padStart(12)}  ${subjectOf(figure)}${text === '' ? '' : `  (${text})`}\n`
    })
    .join('')
}
