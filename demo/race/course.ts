import type { ActivityPoint } from '../../scripts/activity-file/activity-file.ts'

/** Points of the recording between two of the course: about 30 metres. */
const POINTS_PER_PLACE = 9

/** Returns the course of the demo's race as GPX: the way of the recording, twice around the lake. */
export function courseGpx(route: readonly ActivityPoint[]): string {
  const places = route.filter((_, i) => i % POINTS_PER_PLACE === 0 || i === route.length - 1)
  const points = places.map(
    ({ latitude, longitude, altitude = 0 }) =>
      `<trkpt lat="${latitude}" lon="${longitude}"><ele>${altitude}</ele></trkpt>`,
  )
  const track = `<trk><name>Twice around Mosvatnet</name><trkseg>${points.join('')}</trkseg></trk>`
  return `<?xml version="1.0" encoding="UTF-8"?><gpx version="1.1" xmlns="http://www.topografix.com/GPX/1/1">${track}</gpx>`
}

/** Places of the recording, as parts of its points. The course comes by both shores twice. */
const NORTH_SHORE = 0.125
const SOUTH_SHORE = 0.25

/** Returns the checkpoints. Circles suit runners who start their phones at the start, and stop them at the finish. */
export function checkpoints(route: readonly ActivityPoint[]) {
  const circle = (part: number, radius_m: number) => {
    const { latitude, longitude } = route[Math.round(part * (route.length - 1))]
    return { type: 'circle', latitude, longitude, radius_m }
  }
  const shore = (name: string, part: number) => ({ name, kind: 'checkpoint', shape: circle(part, 60) })
  return {
    checkpoints: [
      { name: 'Start', kind: 'start', shape: circle(0, 20) },
      shore('North shore, lap 1', NORTH_SHORE),
      shore('South shore, lap 1', SOUTH_SHORE),
      shore('North shore, lap 2', NORTH_SHORE),
      shore('South shore, lap 2', SOUTH_SHORE),
      { name: 'Finish', kind: 'finish', shape: circle(1, 20) },
    ],
  }
}
