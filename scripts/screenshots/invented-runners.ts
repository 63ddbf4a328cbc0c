import type { CoursePlace } from '../../demo/race/course.ts'
import { beyondEnds, hikingFactor, placeBetween } from '../../demo/race/run-course.ts'
import { driftAt, seenWith } from '../../demo/tracks/receiver-drift.ts'
import type { ActivityPoint } from '../activity-file/activity-file.ts'

/** A runner who follows a course at a pace of his own, from `startMs` on. */
export type InventedRunner = {
  bib: string
  name: string
  category: string
  points: readonly (ActivityPoint & { battery: number })[]
}

/** Animals of the mountains: no real person is in a picture. */
const NAMES = [
  ...['Isard', 'Lynx', 'Marmot', 'Ibex', 'Goshawk', 'Pine marten', 'Wallcreeper', 'Ptarmigan', 'Capercaillie', 'Stoat'],
  ...['Griffon', 'Lammergeier', 'Red kite', 'Chough', 'Dipper', 'Roe deer', 'Wild boar', 'Mouflon', 'Grey partridge'],
  ...['Golden eagle', 'Asp viper', 'Water pipit', 'Black woodpecker', 'Snowfinch', 'Citril finch', 'Ring ouzel'],
]
const CATEGORIES = ['Open', 'Veterans', 'Juniors']

/** Speed on the flat of the fastest, in metres a second, and by how much of it each further runner is slower. */
const FASTEST_MPS = 3.6
const SLOWER_BY = 0.021
const POINT_EVERY_SEC = 5

/** Invents runners who started together. Their points go on after the present, for those who are under way. */
export function inventRunners(course: readonly CoursePlace[], startMs: number): InventedRunner[] {
  const way = beyondEnds(course)
  return NAMES.map((name, at) => ({
    bib: String(101 + at),
    name,
    category: CATEGORIES[at % CATEGORIES.length],
    points: runAlong(way, startMs, FASTEST_MPS * (1 - at * SLOWER_BY), at),
  }))
}

function runAlong(way: readonly CoursePlace[], startMs: number, flatMps: number, seed: number) {
  const points: InventedRunner['points'][number][] = []
  let along = way[0].distanceM
  for (let sec = 4 + 2 * seed; along < way[way.length - 1].distanceM; sec += POINT_EVERY_SEC) {
    const next = way.findIndex(({ distanceM }) => distanceM > along)
    const [from, to] = [way[next - 1], way[next]]
    const length = to.distanceM - from.distanceM
    const { distanceM: _, ...place } = placeBetween(from, to, (along - from.distanceM) / length)
    const slope = (to.altitude - from.altitude) / length
    const mps = flatMps * hikingFactor(slope) * (1 + 0.05 * Math.sin(sec / 90 + seed))
    points.push({
      ...seenWith(driftAt(sec, seed), place),
      speed_mps: Math.round(mps * 100) / 100,
      battery: Math.max(3, Math.round(96 - 2 * seed - sec / 220)) / 100,
      timestamp: new Date(startMs + sec * 1000).toISOString(),
    })
    along += mps * POINT_EVERY_SEC
  }
  return points
}
