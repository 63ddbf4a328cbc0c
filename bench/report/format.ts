import type { Figure, Goal, Unit } from './figure.ts'

/** Formats a value with its unit, with as many digits as mean something. */
export function withUnit(value: number, unit: Unit): string {
  const digits = Math.abs(value) >= 100 || Number.isInteger(value) ? 0 : Math.abs(value) >= 10 ? 1 : 2
  const number = value.toLocaleString('en', { minimumFractionDigits: digits, maximumFractionDigits: digits })
  return unit === 'x' || unit === '/s' || unit === '' ? `${number}${unit}` : `${number} ${unit}`
}

export function formatGoal(goal: Goal | undefined, unit: Unit): string {
  if (goal === undefined) return ''
  const { atMost, atLeast, aim } = goal
  return [
    ...(atMost === undefined ? [] : [`at most ${withUnit(atMost, unit)}`]),
    ...(atLeast === undefined ? [] : [`at least ${withUnit(atLeast, unit)}`]),
    ...(aim === undefined ? [] : [`aim ${withUnit(aim, unit)}`]),
  ].join(', ')
}

/** Returns the subject of a figure, with the size for which it was measured. */
export function subjectOf({ what, at }: Figure): string {
  return at === undefined ? what : `${what}: ${at.toLocaleString('en')}`
}
