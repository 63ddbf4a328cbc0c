import type { Feature, FeatureCollection, LineString, Point } from 'geojson'

/** The visible part of a map in degrees; east may exceed 180. */
export type Seen = { west: number; south: number; east: number; north: number }

/** Each line is a `LineString`, and its label a `Point` at the edge of the visible part. */
type Graticule = FeatureCollection<LineString | Point, { word?: string }>

/** Degrees between two lines, in decimal fractions as positions are written today. */
const STEPS = [30, 10, 5, 2, 1, 0.5, 0.2, 0.1, 0.05, 0.02, 0.01, 0.005, 0.002, 0.001]
/** Least number of lines along the longer side of the map. */
const LINES = 4
/** The end of the map's projection. */
const MAX_LATITUDE = 85

/** Returns the parallels and meridians of the visible part, labelled in degrees, so that empty land can be located. */
export function graticule({ west, south, east, north }: Seen): Graticule {
  const longest = Math.max(east - west, north - south)
  const step = STEPS.find((degrees) => longest / degrees >= LINES) ?? STEPS[STEPS.length - 1]
  const [bottom, top] = [Math.max(-MAX_LATITUDE, south), Math.min(MAX_LATITUDE, north)]
  const meridians = multiples(west, east, step).flatMap((degrees) => {
    const shown = degrees - 360 * Math.round(degrees / 360)
    return lineWithWord(
      [
        [degrees, bottom],
        [degrees, top],
      ],
      degreesWord(shown, step),
      [degrees, top],
    )
  })
  const parallels = multiples(bottom, top, step).flatMap((degrees) =>
    lineWithWord(
      [
        [west, degrees],
        [east, degrees],
      ],
      degreesWord(degrees, step),
      [west, degrees],
    ),
  )
  return { type: 'FeatureCollection', features: [...meridians, ...parallels] }
}

function multiples(from: number, to: number, step: number): number[] {
  const first = Math.ceil(from / step)
  const count = Math.max(0, Math.floor(to / step) - first + 1)
  return Array.from({ length: count }, (_, index) => (first + index) * step)
}

function lineWithWord(line: [number, number][], word: string, at: [number, number]): Graticule['features'] {
  const words: Feature<Point, { word: string }> = {
    type: 'Feature',
    properties: { word },
    geometry: { type: 'Point', coordinates: at },
  }
  return [{ type: 'Feature', properties: {}, geometry: { type: 'LineString', coordinates: line } }, words]
}

/** Signed, because the letters for east and west differ between languages. */
function degreesWord(degrees: number, step: number): string {
  const text = degrees.toFixed(Math.max(0, Math.ceil(-Math.log10(step))))
  return `${Number(text) === 0 ? '0' : text}°`
}
