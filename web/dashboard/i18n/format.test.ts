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

  test('of climbs have half of their interval, rounded to what it tells', () => {
    assert.equal(english.climb(1240, [1176.4, 1303.6]), '1,240 m ±\u00a064')
    assert.equal(french.climb(1240, [1112, 1368]), '1\u202f240 m ±\u00a0130')
    assert.equal(createFormat('en', 'UTC', 'imperial').climb(100, [90, 110]), '328 ft ±\u00a033')
    assert.deepEqual([english.climb(12, [0, 15.4]), english.climb(12, undefined)], ['12 m ±\u00a03', '12 m'])
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

describe('rates', () => {
  test('are paces on foot and speeds on a bike', () => {
    assert.equal(english.rate('run', 2.5), '6:40 /km')
    assert.equal(english.rate('walk', 1.25), '13:20 /km')
    assert.equal(english.rate('bike', 2.5), '9.0 km/h')
  })

  test('have no pace where nobody moves', () => {
    assert.equal(english.rate('hike', 0.05), '–')
    assert.equal(english.rate('bike', 0), '0.0 km/h')
  })
})

describe('gradients', () => {
  test('are percentages with a sign, spaced as the language does', () => {
    assert.equal(english.gradient(0.054), '+5%')
    assert.match(french.gradient(-0.12), /^-12\s%$/)
    assert.equal(english.gradient(0.001), '0%')
  })
})

describe('miles and feet', () => {
  const imperial = createFormat('en', 'UTC', 'imperial')

  test('measure distances, heights, speeds and paces', () => {
    assert.equal(imperial.distance(16_093.44), '10.00 mi')
    assert.equal(imperial.distance(100), '328 ft')
    assert.equal(imperial.meters(1000), '3,281 ft')
    assert.equal(imperial.speed(4.4704), '10.0 mph')
    assert.equal(imperial.pace(300), '8:03 /mi')
    assert.equal(imperial.rate('run', 4.4704), '6:00 /mi')
  })

  test('have French names in French', () => {
    const format = createFormat('fr', 'UTC', 'imperial')

    assert.deepEqual([format.meters(100), format.speed(4.4704)], ['328 pi', '10,0 mi/h'])
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

describe('times of day', () => {
  const inSummer = '2026-07-14T06:15:07Z'

  test('name their zone, in summer and in winter', () => {
    const paris = createFormat('en-GB', 'Europe/Paris')

    assert.equal(paris.zoneName(inSummer), 'CEST')
    assert.equal(paris.zoneName('2026-01-14T06:15:00Z'), 'CET')
    assert.equal(paris.dateTime(inSummer), '14 Jul 2026, 08:15\u00a0CEST')
    assert.equal(paris.time(inSummer), '08:15:07\u00a0CEST')
  })

  test('count 24 hours in every language', () => {
    const evening = '2026-07-14T18:15:07Z'

    assert.equal(createFormat('en-US', 'Europe/Paris').time(evening), '20:15:07\u00a0UTC+2')
    assert.equal(createFormat('en-US', 'Europe/Paris').dateTime(evening), 'Jul 14, 2026, 20:15\u00a0UTC+2')
  })

  test('of a period say once what both have', () => {
    const paris = createFormat('en-GB', 'Europe/Paris')

    assert.equal(paris.period(inSummer, '2026-07-14T08:00:00Z'), '14 Jul 2026, 08:15–10:00\u00a0CEST')
    assert.equal(paris.period(inSummer, inSummer), '14 Jul 2026, 08:15\u00a0CEST')
    assert.match(paris.days('2026-07-14T12:00:00Z', '2026-07-16T12:00:00Z'), /^14\s–\s16 Jul 2026$/u)
    assert.equal(paris.days(inSummer, inSummer), '14 Jul 2026')
    assert.equal(
      paris.period('2026-03-28T12:00:00Z', '2026-03-29T12:00:00Z'),
      '28 Mar 2026, 13:00\u00a0CET – 29 Mar 2026, 14:00\u00a0CEST',
    )
  })

  test('name their offset where the language has no name for the zone', () => {
    assert.equal(createFormat('fr', 'Europe/Paris').zoneName(inSummer), 'UTC+2')
    assert.equal(createFormat('en-US', 'Europe/Paris').zoneName(inSummer), 'UTC+2')
    assert.equal(french.zoneName(inSummer), 'UTC')
  })
})

describe('the language of figures', () => {
  test('is that of the region one is in, where the browser says it in a form that is known', () => {
    assert.equal(regionalOf('en', ['fr-CH', 'en-GB']), 'en-GB')
    assert.equal(regionalOf('en', ['en-US@posix']), 'en')
  })
})
