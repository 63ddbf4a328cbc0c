/** A position on a track and its distance from the start. */
type DistanceMark = { count: number; longitude: number; latitude: number }

/** The positions of a line, with the distance along it. */
type MeasuredLine = {
  distance_meters: readonly number[]
  longitude: readonly number[]
  latitude: readonly number[]
}

/** More marks than this would hide the line. */
const MAX_MARKS = 25
const STEPS = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000]

/**
 * Returns the positions of a track's kilometres or miles, by their length; on a long track every second,
 * fifth and so on. Interpolates between points.
 */
export function distanceMarks(
  { distance_meters, longitude, latitude }: MeasuredLine,
  metersPerMark: number,
): DistanceMark[] {
  const total = (distance_meters.at(-1) ?? 0) / metersPerMark
  const step = STEPS.find((each) => total / each <= MAX_MARKS) ?? STEPS[STEPS.length - 1]
  const marks: DistanceMark[] = []
  for (let index = 1; index < distance_meters.length && marks.length < MAX_MARKS; index++) {
    const [before, after] = [distance_meters[index - 1], distance_meters[index]]
    for (let count = (marks.length + 1) * step; count * metersPerMark <= after; count += step) {
      const share = (count * metersPerMark - before) / (after - before)
      marks.push({
        count,
        longitude: longitude[index - 1] + share * (longitude[index] - longitude[index - 1]),
        latitude: latitude[index - 1] + share * (latitude[index] - latitude[index - 1]),
      })
    }
  }
  return marks
}
