import type { Feature, FeatureCollection, LineString, Point } from 'geojson'

/** What is seen of a map, in degrees; east may be beyond 180. */
export type Seen = { west: number; south: number; east: number; north: number }

/** A line of the net is a `LineString`; what it is called is a `Point` at the edge of what is seen. */
export type Graticule = FeatureCollection<LineString | Point, { word?: string }>

/** Degrees between two lines: decimal fractions, as positions are written today. */
const STEPS = [30, 10, 5, 2, 1, 0.5, 0.2, 0.1, 0.05, 0.02, 0.01, 0.005, 0.002, 0.001]
/** The longer side of the map has so many lines at least. */
const LINES = 4
/** The map's projection ends there. */
const MAX_LATITUDE = 85

/** The net of parallels and meridians over what is seen, each called by its degrees, so that also bare land tells where it is. */
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

/** With a sign, as positions are written in all languages; letters for east and west are not the same in all. */
function degreesWord(degrees: number, step: number): string {
  const text = degrees.toFixed(Math.max(0, Math.ceil(-Math.log10(step))))
  return `${Number(text) === 0 ? '0' : text}°`
}
