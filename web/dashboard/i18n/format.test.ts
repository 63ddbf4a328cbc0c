import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { createFormat } from './format.ts'

const english = createFormat('en', 'UTC')
const french = createFormat('fr', 'UTC')

describe('figures', () => {
  test('are in kilometers from one kilometer on', () => {
    assert.equal(english.distance(999.4), '999 m')
    assert.equal(english.distance(12_345), '12.35 km')
    assert.equal(french.distance(12_345), '12,35 km')
  })

  test('of time read like a stop watch', () => {
    assert.equal(english.duration(59.6), '1:00')
    assert.equal(english.duration(3725), '1:02:05')
  })

  test('of pace are minutes and seconds, and a dash where there is none', () => {
    assert.equal(english.pace(359.7), '6:00 /km')
    assert.equal(english.pace(0), '–')
  })

  test('of speed are kilometers per hour', () => {
    assert.equal(english.speed(2.5), '9.0 km/h')
  })
})

describe('times', () => {
  test('are said relative to now', () => {
    const now = Date.UTC(2026, 4, 3, 12)

    assert.equal(english.ago('2026-05-03T11:58:30Z', now), '1 minute ago')
    assert.equal(french.ago('2026-05-01T12:00:00Z', now), 'avant-hier')
    assert.equal(english.ago(now, now), 'now')
  })
})
