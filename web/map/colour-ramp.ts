/**
 * Dark violet to yellow in steps that look equally far apart, also to those who confuse red and green: ten samples of
 * the "plasma" colour map (Smith and van der Walt, 2015, CC0), without its palest end, which is lost on a light map.
 */
export const RAMP = [
  '#3b049a',
  '#6a00a8',
  '#8f0da4',
  '#b12a90',
  '#cc4778',
  '#e16462',
  '#f2844b',
  '#fca636',
  '#fcce25',
] as const

/** Returns the colour of a value within a range; values beyond it have the colour of the nearer end. */
export function colourOf(value: number, from: number, to: number): string {
  return RAMP[stepOf(value, from, to)]
}

/** Returns the index of a value's colour in the ramp. */
export function stepOf(value: number, from: number, to: number): number {
  if (!(to > from)) return 0
  const step = Math.floor(((value - from) / (to - from)) * RAMP.length)
  return Math.min(RAMP.length - 1, Math.max(0, step))
}
