import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { SharedTrack } from '../../../src/tracks/api/operator-track-schemas.ts'
import { colourings, createColours, heardMs, type RaceFacts, statusOf } from './runners.ts'

const NOW_MS = Date.UTC(2026, 4, 3, 12)
const MINUTE_MS = 60_000
const at = (minutesAgo: number) => new Date(NOW_MS - minutesAgo * MINUTE_MS).toISOString()
const SILENT_MS = NOW_MS - 45 * MINUTE_MS
const raceOf = (more: Partial<RaceFacts>): RaceFacts => ({
  state: 'running',
  status: null,
  gap_sec: null,
  net_sec: null,
  finish_sec: null,
  off_course_m: null,
  isRunner: true,
  ...more,
})
const track = (lastPointMinutesAgo: number | null, updatedMinutesAgo = 0) =>
  ({
    last_point_at: lastPointMinutesAgo === null ? null : at(lastPointMinutesAgo),
    start_ts: at(120),
    updated_at: at(updatedMinutesAgo),
  }) as SharedTrack

describe('the time when a runner was last heard of', () => {
  test('is that of the last point, or of a later position on the map', () => {
    assert.equal(heardMs(track(10), Number.NEGATIVE_INFINITY, NOW_MS), NOW_MS - 10 * MINUTE_MS)
    assert.equal(heardMs(track(10), NOW_MS - MINUTE_MS, NOW_MS), NOW_MS - MINUTE_MS)
  })

  test('is the start of a track without points', () => {
    assert.equal(heardMs(track(null), Number.NEGATIVE_INFINITY, NOW_MS), NOW_MS - 120 * MINUTE_MS)
  })

  test('is never in the future, however wrong the clock of a phone is', () => {
    const in59Years = -59 * 365 * 24 * 60

    assert.equal(heardMs(track(-2), Number.NEGATIVE_INFINITY, NOW_MS), NOW_MS)
    assert.equal(heardMs(track(in59Years, 7), Number.NEGATIVE_INFINITY, NOW_MS), NOW_MS - 7 * MINUTE_MS)
    assert.equal(heardMs(track(in59Years, -1), Number.NEGATIVE_INFINITY, NOW_MS), NOW_MS)
  })
})

describe('the status of a runner', () => {
  const after = (state: 'running' | 'paused' | 'stopped', minutes: number) =>
    statusOf({ state } as SharedTrack, NOW_MS - minutes * MINUTE_MS, NOW_MS, 300)

  test('is silent once nothing was heard for longer than the event allows', () => {
    assert.equal(after('running', 5), 'running')
    assert.equal(after('running', 45), 'silent')
  })

  test('is not silent for one who pauses or has finished', () => {
    assert.deepEqual([after('paused', 45), after('stopped', 45)], ['paused', 'stopped'])
  })

  test('agrees with the race: who has arrived has finished, and a recording that ended before the finish has not', () => {
    const inRace = (state: 'running' | 'paused' | 'stopped', hasFinished: boolean) =>
      statusOf({ state, race: raceOf({ state: hasFinished ? 'finished' : 'running' }) }, SILENT_MS, NOW_MS, 300)

    assert.deepEqual([inRace('running', true), inRace('stopped', true)], ['stopped', 'stopped'])
    assert.deepEqual([inRace('stopped', false), inRace('running', false)], ['ended', 'silent'])
  })

  test('is the state of the recording for a track of nobody in the race', () => {
    const ofOther = (state: 'running' | 'stopped', more: Partial<RaceFacts> = {}) =>
      statusOf({ state, race: raceOf({ isRunner: false, ...more }) }, NOW_MS, NOW_MS, 300)

    assert.deepEqual(
      [ofOther('stopped'), ofOther('stopped', { state: 'not-started' }), ofOther('running')],
      ['stopped', 'stopped', 'running'],
    )
  })

  test('is astray far from the course, and neither silent nor astray after leaving the race', () => {
    const inRace = (more: Partial<RaceFacts>, heardMs = NOW_MS) =>
      statusOf({ state: 'running', race: raceOf(more) }, heardMs, NOW_MS, 300)

    assert.deepEqual([inRace({ off_course_m: 149 }), inRace({ off_course_m: 150 })], ['running', 'astray'])
    assert.equal(inRace({ off_course_m: 2400 }, SILENT_MS), 'silent')
    assert.deepEqual(
      [inRace({ status: 'dnf', off_course_m: 2400 }), inRace({ status: 'dnf' }, SILENT_MS)],
      ['ended', 'ended'],
    )
    assert.equal(inRace({ status: 'over_limit' }, SILENT_MS), 'silent')
  })
})

const runner = (id: string, more: object = {}) => ({ id, title: id, state: 'running', ...more }) as SharedTrack

describe('the colours of runners', () => {
  const colourOf = createColours()

  test('show the status, of which finished and silent differ', () => {
    const colours = (['running', 'paused', 'silent', 'stopped', 'ended'] as const).map((status) =>
      colourOf(runner('a'), status, 'status'),
    )

    assert.equal(new Set(colours).size, 5)
  })

  test('are the same for all tracks of a person or a category', () => {
    const [first, second] = [runner('a', { user_id: 'anna', category: 'F40' }), runner('b', { user_id: 'anna' })]

    assert.equal(colourOf(first, 'running', 'person'), colourOf(second, 'stopped', 'person'))
    assert.notEqual(colourOf(first, 'running', 'runner'), colourOf(second, 'running', 'runner'))
    assert.equal(
      colourOf(first, 'running', 'category'),
      colourOf(runner('c', { category: 'F40' }), 'running', 'category'),
    )
  })

  test('differ for every category of a race', () => {
    const categories = ['F20', 'F40', 'F50', 'F60', 'M20', 'M40', 'M50', 'M60']

    const colours = categories.map((category) => colourOf(runner(category, { category }), 'running', 'category'))

    assert.equal(new Set(colours).size, 8)
  })

  test('leave a silent runner grey in every grouping', () => {
    assert.equal(colourOf(runner('a'), 'silent', 'runner'), colourOf(runner('b'), 'silent', 'status'))
  })

  test('are offered for what the tracks have', () => {
    assert.deepEqual(colourings([runner('a')]), ['status', 'runner'])
    assert.deepEqual(colourings([runner('a', { user_id: 'anna' }), runner('b', { category: 'F40' })]), [
      'status',
      'runner',
      'person',
      'category',
    ])
  })
})
