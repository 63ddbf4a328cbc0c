import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { columnsOf, northward } from '../../../test/support/track-columns.ts'
import { withGivenFigures } from './given-figures.ts'
import { computeStatistics, statisticsToJson } from './statistics.ts'

const points = northward(600, 1, (i) => i).map((point, i) => ({ ...point, altitude: 50 * Math.sin(i / 60) + (i % 7) }))
const computed = statisticsToJson(
  computeStatistics(columnsOf(points), [], { activityType: 'run', maxAccuracyMeters: 50 }),
)

describe('withGivenFigures', () => {
  test('prefers given figures, and drops the interval of what they replace', () => {
    const { elevation_gain_interval_m, ...others } = computed

    const all = withGivenFigures(computed, JSON.stringify({ elevation_gain_m: 12, points_count: 9 }))

    assert.ok(elevation_gain_interval_m !== undefined && others.elevation_loss_interval_m !== undefined)
    assert.deepEqual(all, { ...others, elevation_gain_m: 12, points_count: 9 })
  })

  test('keeps computed ones without any, and does not change them', () => {
    const before = structuredClone(computed)

    assert.equal(withGivenFigures(computed, null), computed)
    withGivenFigures(computed, JSON.stringify({ elevation_gain_m: 12 }))
    assert.deepEqual(computed, before)
  })
})
