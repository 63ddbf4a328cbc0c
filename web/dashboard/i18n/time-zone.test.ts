import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { momentOf, wallTimeOf } from './time-zone.ts'

describe('the time on the clocks of a zone', () => {
  for (const [wallTime, zone, iso] of [
    ['2026-05-03T07:00:00', 'Europe/Paris', '2026-05-03T05:00:00.000Z'],
    ['2026-01-03T07:00:05', 'Europe/Paris', '2026-01-03T06:00:05.000Z'],
    ['2026-05-03T07:00:00', 'Asia/Kathmandu', '2026-05-03T01:15:00.000Z'],
    ['2026-05-03T00:30:00', 'America/New_York', '2026-05-03T04:30:00.000Z'],
  ]) {
    test(`${wallTime} in ${zone} is ${iso}, and back`, () => {
      assert.equal(new Date(momentOf(wallTime, zone)).toISOString(), iso)
      assert.equal(wallTimeOf(Date.parse(iso), zone), wallTime)
    })
  }

  test('is the first of two when clocks are set back, and an hour later when it is skipped', () => {
    assert.equal(new Date(momentOf('2026-10-25T02:30:00', 'Europe/Paris')).toISOString(), '2026-10-25T00:30:00.000Z')
    assert.equal(new Date(momentOf('2026-03-29T02:30:00', 'Europe/Paris')).toISOString(), '2026-03-29T01:30:00.000Z')
  })

  test('is needed without seconds too, and is no moment for anything else', () => {
    assert.equal(new Date(momentOf('2026-05-03T07:00', 'UTC')).toISOString(), '2026-05-03T07:00:00.000Z')
    assert.ok(Number.isNaN(momentOf('', 'UTC')))
  })
})
