import type { Feature, LineString } from 'geojson'
import type { MapLibreMap } from 'maplibre-gl'

/** A line in columns; the line is broken before each of `gaps`. */
export type Line = { longitude: readonly number[]; latitude: readonly number[]; gaps: readonly { index: number }[] }

type ColouredPart = Feature<LineString, { colour: string }>

/** The colour of a line whose value is the same all along. */
export const STEADY = '#1971c2'

/** The colour of parts whose value is not known. */
const UNKNOWN = '#868e96'

/**
 * The parts of a line, each of one colour, by a value at each point: a leg has the colour of the point it leads to.
 * Without a range all values are alike.
 * Neighbours of one colour are one part, so that a line of thousands of points is a few hundred parts.
 */
export function colouredLine(
  { longitude, latitude, gaps }: Line,
  values: readonly (number | null)[],
  range: { from: number; to: number } | undefined,
): ColouredPart[] {
  const breaks = new Set(gaps.map(({ index }) => index))
  const parts: ColouredPart[] = []
  let current: ColouredPart | undefined
  for (let index = 1; index < longitude.length; index++) {
    if (breaks.has(index)) {
      current = undefined
      continue
    }
    const value = values[index]
    const colour = value === null ? UNKNOWN : range === undefined ? STEADY : colourOf(value, range.from, range.to)
    if (current?.properties.colour !== colour) {
      const start = [longitude[index - 1], latitude[index - 1]]
      current = { type: 'Feature', properties: { colour }, geometry: { type: 'LineString', coordinates: [start] } }
      parts.push(current)
    }
    current.geometry.coordinates.push([longitude[index], latitude[index]])
  }
  return parts
}

/** The legs over which the line is broken, drawn as guesses. */
export function gapLines({ longitude, latitude, gaps }: Line): Feature<LineString>[] {
  return gaps
    .filter(({ index }) => index > 0 && index < longitude.length)
    .map(({ index }) => ({
      type: 'Feature',
      properties: {},
      geometry: {
        type: 'LineString',
        coordinates: [index - 1, index].map((at) => [longitude[at], latitude[at]]),
      },
    }))
}

/**
 * Returns the range of the colour ramp, without the lowest and the highest two percent, so that an outlier does
 * not take the colours from all other values. Undefined if no value is known, or if all are within
 * `leastSpread`: the ramp would then colour noise.
 */
export function colourRange(
  values: readonly (number | null)[],
  leastSpread: number,
): { from: number; to: number } | undefined {
  const known = values.filter((value) => value !== null).sort((a, b) => a - b)
  if (known.length === 0) return undefined
  const range = { from: known[Math.floor(known.length * 0.02)], to: known[Math.ceil(known.length * 0.98) - 1] }
  return range.to - range.from < leastSpread ? undefined : range
}

/**
 * Dark violet to yellow in steps that look equally far apart, also with red-green blindness: ten samples of the
 * "plasma" colour map (Smith and van der Walt, 2015, CC0), without its palest end, which is lost on a light map.
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
function colourOf(value: number, from: number, to: number): string {
  return RAMP[stepOf(value, from, to)]
}

/** Returns the index of a value's colour in the ramp. */
export function stepOf(value: number, from: number, to: number): number {
  if (!(to > from)) return 0
  const step = Math.floor(((value - from) / (to - from)) * RAMP.length)
  return Math.min(RAMP.length - 1, Math.max(0, step))
}

/** Look of words on a map. `gap` is their distance from the point, in their own size. */
type Look = { sizePx: number; gap: number; ink: string; halo: string }

/** Adds the words of a source's points beside them, where there is room. */
export function addWords(map: MapLibreMap, source: string, { sizePx, gap, ink, halo }: Look): void {
  map.addLayer({
    id: `${source}-words`,
    type: 'symbol',
    source,
    layout: {
      'text-field': ['get', 'word'],
      'text-size': sizePx,
      'text-variable-anchor': ['left', 'right', 'top', 'bottom'],
      'text-radial-offset': gap,
      'text-justify': 'auto',
    },
    paint: { 'text-color': ink, 'text-halo-color': halo, 'text-halo-width': 2 },
  })
}
