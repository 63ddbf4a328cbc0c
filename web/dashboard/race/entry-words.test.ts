import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Ranking, RankingEntry } from '../generated/types.gen.ts'
import { createFormat } from '../i18n/format.ts'
import { categoriesOf, entriesIn, gapWords, isUnderWay, marginWords, otherTimeOf, rankedSec } from './entry-words.ts'

const entry = (fields: Partial<RankingEntry>): RankingEntry => ({
  track_id: null,
  bib: null,
  name: 'Anna',
  category: null,
  rank: 1,
  category_rank: 1,
  state: 'running',
  status: null,
  status_at: null,
  status_place: null,
  last_checkpoint: null,
  progress_m: 0,
  distance_to_go_m: 0,
  off_course_m: null,
  gap_sec: null,
  net_sec: null,
  gun_sec: null,
  finish_sec: null,
  passings: [],
  ...fields,
})
const ranking = (...entries: RankingEntry[]) => ({ is_complete: true, entries }) as unknown as Ranking
const passing = (elapsed_sec: number) => ({
  checkpoint_id: 'a',
  time_ms: 0,
  elapsed_sec,
  interval_sec: 1,
  source: 'crossing' as const,
  away_m: null,
  recorded_time_ms: null,
})

describe('a ranking in words', () => {
  test('promises no more certainty than there is', () => {
    assert.deepEqual([0, 3.2, 99.1, 130].map(marginWords), ['±1\u00a0s', '±4\u00a0s', '±2\u00a0min', '±3\u00a0min'])
  })

  test('has the time at the finish, or else at the last checkpoint', () => {
    assert.equal(rankedSec(entry({ finish_sec: 100, passings: [passing(40)] })), 100)
    assert.equal(rankedSec(entry({ passings: [passing(20), passing(40)] })), 40)
    assert.equal(rankedSec(entry({})), null)
    // Seconds after the common start, and from the start line: who has only started has no time to compare.
    assert.equal(rankedSec(entry({ net_sec: 0, gun_sec: 12, passings: [passing(12)] })), null)
  })

  test('has the time that does not count beside the one that does, if they differ', () => {
    assert.deepEqual(otherTimeOf(entry({ finish_sec: 100, gun_sec: 100, net_sec: 88 })), { kind: 'net', sec: 88 })
    assert.deepEqual(otherTimeOf(entry({ finish_sec: 88, gun_sec: 100, net_sec: 88 })), { kind: 'gun', sec: 100 })
    assert.equal(otherTimeOf(entry({ finish_sec: 100, gun_sec: 100, net_sec: 100 })), undefined)
    assert.equal(otherTimeOf(entry({ gun_sec: 12, net_sec: 0 })), undefined)
  })

  test('has gaps of those who are behind', () => {
    const format = createFormat('en')

    assert.deepEqual(
      [
        entry({ gap_sec: 0 }),
        entry({ gap_sec: 64, rank: 2 }),
        entry({ gap_sec: null }),
        entry({ gap_sec: 5, rank: null }),
      ].map((one) => gapWords(one, format)),
      ['–', '+1:04', '–', '–'],
    )
  })

  test('is filtered by category, and numbers sort as numbers', () => {
    const all = ranking(entry({ category: 'M100' }), entry({ category: 'M40' }), entry({}), entry({ category: 'M40' }))

    assert.deepEqual(categoriesOf(all, 'en'), ['M40', 'M100'])
    assert.deepEqual([entriesIn(all, 'M40').length, entriesIn(all, undefined).length], [2, 4])
  })

  test('is over when nobody runs any more', () => {
    assert.ok(isUnderWay(ranking(entry({}))))
    assert.ok(!isUnderWay(ranking(entry({ state: 'finished' }), entry({ status: 'dnf' }))))
  })
})
