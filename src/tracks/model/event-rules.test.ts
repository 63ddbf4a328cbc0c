import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { calendarDateProblem, eventDatesProblems } from './event-rules.ts'

describe('calendarDateProblem', () => {
  test('refuses dates that no calendar has', () => {
    assert.equal(calendarDateProblem('2026-02-30'), 'must be a date of the calendar')
    assert.equal(calendarDateProblem('2026-02-28'), undefined)
  })

  test('leaves text in another form to the pattern of the schema', () => {
    assert.equal(calendarDateProblem('30 February'), undefined)
  })
})

describe('eventDatesProblems', () => {
  test('refuses a last day before the first', () => {
    const expected = [{ path: 'ends_on', message: 'must not be before starts_on' }]

    assert.deepEqual(eventDatesProblems({ starts_on: '2026-05-03', ends_on: '2026-05-02' }), expected)
    assert.deepEqual(eventDatesProblems({ starts_on: '2026-05-03', ends_on: '2026-05-03' }), [])
  })

  test('skips dates that are absent or wrong themselves', () => {
    assert.deepEqual(eventDatesProblems({ starts_on: null, ends_on: '2026-05-02' }), [])
    assert.deepEqual(eventDatesProblems({ starts_on: '2026-05-32', ends_on: '2026-05-02' }), [])
    assert.deepEqual(eventDatesProblems({ starts_on: 5, ends_on: '2026-05-02' }), [])
  })
})
