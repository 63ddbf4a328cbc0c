import assert from 'node:assert/strict'
import { test } from 'node:test'
import { addDays, dayOf, dayStartMs, daysFrom } from './schemas.ts'

test('a day is that of UTC, whatever the clock on the wall says', () => {
  assert.equal(dayOf(Date.parse('2026-05-03T23:59:59.999Z')), '2026-05-03')
  assert.equal(dayOf(Date.parse('2026-05-04T01:30:00.000+02:00')), '2026-05-03')
})

test('what the calendar does not have is no day', () => {
  assert.equal(dayStartMs('2026-05-03'), Date.UTC(2026, 4, 3))
  for (const text of ['2026-02-30', '2026-13-01', '2026-5-3', '2026-05-03T00:00', '']) {
    assert.equal(dayStartMs(text), undefined, text)
  }
})

test('days are counted over months and leap days', () => {
  assert.equal(addDays('2028-03-01', -1), '2028-02-29')
  assert.deepEqual(daysFrom('2026-02-27', '2026-03-02'), ['2026-02-27', '2026-02-28', '2026-03-01', '2026-03-02'])
  assert.deepEqual(daysFrom('2026-03-02', '2026-03-01'), [])
})
