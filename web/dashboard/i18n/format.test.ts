import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { createFormat, regionalOf } from './format.ts'

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

  test('of time spent are in the units that matter', () => {
    assert.deepEqual([20, 200, 11_000, 3_600_000].map(english.span), ['20 s', '3 min 20 s', '3 h 3 min', '1,000 h'])
  })

  test('on an axis take few characters', () => {
    assert.equal(english.countShort(9999), '9,999')
    assert.equal(english.countShort(20_000), '20K')
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
    assert.equal(english.ago('2026-01-01T12:00:00Z', now), '4 months ago')
    assert.equal(french.ago('2024-05-02T12:00:00Z', now), 'il y a 2 ans')
    assert.equal(english.ago(now, now), 'now')
  })
})

describe('the language of figures', () => {
  test('is that of the region one is in, where the browser says it in a form that is known', () => {
    assert.equal(regionalOf('en', ['fr-CH', 'en-GB']), 'en-GB')
    assert.equal(regionalOf('en', ['en-US@posix']), 'en')
  })
})
