import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { shownPart, trimOf, trimScale } from './trim.ts'

const hour = {
  first_point_at: '2026-05-03T08:00:00.000Z',
  last_point_at: '2026-05-03T09:00:00.400Z',
  shown_from: null,
  shown_until: null,
}

describe('the scale of the trim control', () => {
  test('goes from the first to the last point in steps that a hand can set', () => {
    assert.deepEqual(trimScale(hour), { firstMs: Date.parse(hour.first_point_at), spanSec: 3601, stepSec: 5 })
    assert.equal(trimScale({ ...hour, last_point_at: '2026-05-03T08:05:00Z' })?.stepSec, 1)
    assert.equal(trimScale({ ...hour, last_point_at: '2026-05-05T08:00:00Z' })?.stepSec, 60)
  })

  test('is missing where there is nothing to trim', () => {
    assert.equal(trimScale({ ...hour, first_point_at: null, last_point_at: null }), undefined)
    assert.equal(trimScale({ ...hour, last_point_at: hour.first_point_at }), undefined)
  })
})

describe('the shown part', () => {
  const scale = trimScale(hour)!

  test('is the whole track where no end is trimmed', () => {
    assert.deepEqual(trimOf(hour, scale), [0, 3601])
    assert.deepEqual(shownPart([0, 3601], scale), { shown_from: null, shown_until: null })
  })

  test('comes back as it was set', () => {
    const shown = { shown_from: '2026-05-03T08:05:00.000Z', shown_until: '2026-05-03T08:55:00.000Z' }

    assert.deepEqual(trimOf({ ...hour, ...shown }, scale), [300, 3300])
    assert.deepEqual(shownPart([300, 3300], scale), shown)
  })

  test('stays within the track', () => {
    const beyond = { shown_from: '2026-05-03T07:00:00Z', shown_until: '2026-05-03T10:00:00Z' }

    assert.deepEqual(trimOf({ ...hour, ...beyond }, scale), [0, 3601])
  })
})
