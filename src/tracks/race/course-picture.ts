import { LRUCache } from 'lru-cache'
import { type Html, html } from '#platform/pages/html.ts'
import { decodeCourseLine, projectionFor } from '../statistics/course-line.ts'
import type { RaceDeps } from './race-boards.ts'

/** Size of the picture in units of its own; it is as wide as its place. */
const WIDTH = 600
const MIN_HEIGHT = 160
const MAX_HEIGHT = 360
const MARGIN = 24
/** A smaller place is drawn as if it were so large. */
const MIN_METERS = 200
/** More places of a line would not be seen, and would delay the page on a slow line. */
const MAX_PLACES = 200
/** Courses kept in memory. */
const MAX_COURSES = 200

/** Place of a runner, in degrees. */
type Position = { latitude: number; longitude: number }

type Plane = { latitude: Float64Array; longitude: Float64Array }

/** A plan of a course, and where a position is in it. */
type Plan = { height: number; way: string; placeOf(position: Position): string }

/** Runners with one look: the class of their dots. */
type DrawnRunners = { look: string; positions: readonly Position[] }

/** Creates the plans of courses, which are drawn once for each version of a course. */
export function createCoursePlans({ races }: RaceDeps) {
  const plans = new LRUCache<string, Plan>({ max: MAX_COURSES })

  return async (eventId: string): Promise<Plan | undefined> => {
    const { course_length_m, course_revision } = await races.findSummary(eventId)
    if (course_length_m === null) return undefined
    const key = `${eventId} ${course_revision}`
    const kept = plans.get(key)
    if (kept !== undefined) return kept
    const { course_line } = await races.find(eventId)
    if (course_line === null) return undefined
    const plan = planOf(everySo(decodeCourseLine(course_line)), true)
    plans.set(key, plan)
    return plan
  }
}

/**
 * Draws the course and the runners as SVG, which needs no script, and on a slow line is there long before the library
 * of the map. Without a plan, the runners alone have their places; nothing without them.
 */
export function coursePicture(
  label: string,
  plan: Plan | undefined,
  runners: readonly DrawnRunners[],
): Html | undefined {
  const positions = runners.flatMap((each) => each.positions)
  const used = plan ?? (positions.length === 0 ? undefined : planOf(columnsOf(positions), false))
  if (used === undefined) return undefined
  const dots = runners.map(({ look, positions: places }) => {
    const d = places.map((position) => `M${used.placeOf(position)}h0`).join('')
    return html`<path class="${look}" d="${d}"/>`
  })
  return html`<svg class="picture" viewBox="0 0 ${WIDTH} ${used.height}" role="img" aria-label="${label}">${used.way !== '' && html`<path class="way" d="${used.way}"/>`}${dots}</svg>
`
}

function planOf(line: Plane, isWay: boolean): Plan {
  const projection = projectionFor(line)
  const { x, y } = projection.columns(line)
  const [west, east, south, north] = [Math.min(...x), Math.max(...x), Math.min(...y), Math.max(...y)]
  const wide = Math.max(MIN_METERS, east - west)
  const high = Math.max(MIN_METERS, north - south)
  const scale = Math.min((WIDTH - 2 * MARGIN) / wide, (MAX_HEIGHT - 2 * MARGIN) / high)
  const height = Math.max(MIN_HEIGHT, Math.round(high * scale) + 2 * MARGIN)
  const across = (meters: number) => Math.round(WIDTH / 2 + (meters - (west + east) / 2) * scale)
  const down = (meters: number) => Math.round(height / 2 - (meters - (south + north) / 2) * scale)
  return {
    height,
    way: isWay ? Array.from(x, (meters, i) => `${i === 0 ? 'M' : 'L'}${across(meters)} ${down(y[i])}`).join('') : '',
    placeOf: ({ latitude, longitude }) => `${across(projection.x(longitude))} ${down(projection.y(latitude))}`,
  }
}

/** Returns some places of a line, with both ends. */
function everySo({ latitude, longitude }: Plane): Plane {
  const count = Math.min(MAX_PLACES, latitude.length)
  const pick = (column: Float64Array) =>
    Float64Array.from(
      { length: count },
      (_, i) => column[Math.round((i * (column.length - 1)) / Math.max(1, count - 1))],
    )
  return { latitude: pick(latitude), longitude: pick(longitude) }
}

function columnsOf(positions: readonly Position[]): Plane {
  return {
    latitude: Float64Array.from(positions, ({ latitude }) => latitude),
    longitude: Float64Array.from(positions, ({ longitude }) => longitude),
  }
}
