import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { readTcx } from './read-xml.ts'

const lap = (distance: number, maximum: number, seconds: readonly string[]) => `<Lap>
  <DistanceMeters>${distance}</DistanceMeters><MaximumSpeed>${maximum}</MaximumSpeed>
  <Track>${seconds
    .map(
      (second) => `<Trackpoint><Time>2026-05-03T06:15:${second}Z</Time>
        <Position><LatitudeDegrees>45.9</LatitudeDegrees><LongitudeDegrees>6.87</LongitudeDegrees></Position>
        <DistanceMeters>9999</DistanceMeters></Trackpoint>`,
    )
    .join('')}</Track></Lap>`

describe('readTcx', () => {
  test('adds the distances of laps up, and takes the highest of their speeds', () => {
    const laps = [lap(500, 4.5, ['00', '01']), lap(700.5, 3.5, ['02']), lap(100, 4, ['03'])]
    const activity = `<Activity Sport="Running">${laps.join('')}</Activity>`

    const [track, ...others] = readTcx(
      Buffer.from(`<TrainingCenterDatabase><Activities>${activity}</Activities></TrainingCenterDatabase>`),
    )

    assert.deepEqual(others, [])
    assert.deepEqual(track.totals, { distance_meters: 1300.5, max_speed_mps: 4.5 })
    assert.equal(track.points.count, 4)
  })
})
