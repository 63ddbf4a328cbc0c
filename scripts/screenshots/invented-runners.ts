import type { ActivityPoint } from '../activity-file/activity-file.ts'

/** A place of a course: degrees, metres above the sea, and metres from its beginning. */
export type CoursePlace = { latitude: number; longitude: number; altitude: number; distanceM: number }

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
const FASTEST_MPS = 3.35
const SLOWER_BY = 0.021
const POINT_EVERY_SEC = 10

/** Invents runners who started together. Their points go on after the present, for those who are under way. */
export function inventRunners(course: readonly CoursePlace[], startMs: number): InventedRunner[] {
  return NAMES.map((name, at) => ({
    bib: String(101 + at),
    name,
    category: CATEGORIES[at % CATEGORIES.length],
    points: runCourse(course, startMs, FASTEST_MPS * (1 - at * SLOWER_BY), at),
  }))
}

function runCourse(course: readonly CoursePlace[], startMs: number, flatMps: number, seed: number) {
  const points: InventedRunner['points'][number][] = []
  let along = 0
  for (let sec = 4 + 2 * seed; along < course[course.length - 1].distanceM; sec += POINT_EVERY_SEC) {
    const next = course.findIndex(({ distanceM }) => distanceM > along)
    const [from, to] = [course[next - 1], course[next]]
    const length = to.distanceM - from.distanceM
    const share = (along - from.distanceM) / length
    const slope = (to.altitude - from.altitude) / length
    const between = (a: number, b: number) => a + (b - a) * share
    // The error of a receiver drifts slowly: some metres, in waves of a minute or two.
    const driftM = 2.5 * Math.sin(sec / 17 + seed) + 1.5 * Math.sin(sec / 7 + 2 * seed)
    const mps = flatMps * hikingFactor(slope) * (1 + 0.05 * Math.sin(sec / 90 + seed))
    points.push({
      latitude: between(from.latitude, to.latitude) + driftM / 111_320,
      longitude: between(from.longitude, to.longitude) + driftM / 82_000,
      altitude: Math.round(between(from.altitude, to.altitude) * 10) / 10,
      accuracy: 4,
      speed_mps: Math.round(mps * 100) / 100,
      battery: Math.max(3, Math.round(96 - 2 * seed - sec / 220)) / 100,
      timestamp: new Date(startMs + sec * 1000).toISOString(),
    })
    along += mps * POINT_EVERY_SEC
  }
  return points
}

/**
 * Returns the speed on a slope relative to the flat, by Tobler's hiking function
 * (Tobler 1993), shifted to 1 on the flat.
 */
function hikingFactor(slope: number): number {
  return Math.min(1.15, Math.exp(-3.5 * Math.abs(slope + 0.05)) / Math.exp(-3.5 * 0.05))
}
