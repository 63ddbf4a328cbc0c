import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { type RacedTrack, rankRunners } from './rank-runners.ts'
import type { Standing } from './standing.ts'
import type { Runner } from './start-list.ts'

const GATES = [
  { kind: 'start', courseM: 0 },
  { kind: 'finish', courseM: 1000 },
] as const

const passing = (gate: number, timeMs: number) => ({
  gate,
  timeMs,
  intervalSec: 1,
  awayM: null,
  source: 'crossing' as const,
  recordedMs: timeMs,
})

/** A track of a person who crossed the start line at 0, and finished after some seconds. */
function finished(userId: string, finishSec: number): RacedTrack {
  const standing: Standing = {
    state: 'finished',
    passings: [passing(0, 0), passing(1, finishSec * 1000)],
    progressM: 1000,
    offCourseM: 0,
  }
  return { id: `track of ${userId}`, userId, title: userId, startMs: 0, standing }
}

function runner(user_id: string, category: string | null = null, status: Runner['status'] = null): Runner {
  return { user_id, bib: user_id, name: user_id, category, status }
}

function ranksOf(tracks: readonly RacedTrack[], runners: readonly Runner[]) {
  const ranked = rankRunners({ gates: GATES, gunMs: null, timeBasis: 'gun', runners, tracks })
  return ranked.map(({ track, rank, categoryRank }) => [track?.userId, rank, categoryRank])
}

describe('rankRunners', () => {
  test('gives arrivals in the same tenth of a second one rank, and leaves out the next', () => {
    const tracks = [finished('dora', 62), finished('bob', 61.02), finished('anna', 60), finished('carl', 61.04)]

    const ranks = ranksOf(tracks, [])

    assert.deepEqual(ranks, [
      ['anna', 1, null],
      ['bob', 2, null],
      ['carl', 2, null],
      ['dora', 4, null],
    ])
  })

  test('counts from crossing the start line, or from the common start where no crossing is known', () => {
    const crossing = (userId: string, startSec: number, finishSec: number) => {
      const track = finished(userId, finishSec)
      return {
        ...track,
        standing: { ...track.standing, passings: [passing(0, startSec * 1000), passing(1, finishSec * 1000)] },
      }
    }
    const unseen = finished('carl', 61)
    unseen.standing.passings.shift()
    const race = {
      gates: GATES,
      gunMs: 0,
      runners: [],
      tracks: [crossing('anna', 1, 60), crossing('bob', 9, 64), unseen],
    }
    const times = (timeBasis: 'gun' | 'net') =>
      rankRunners({ ...race, timeBasis }).map(({ track, finishSec, gapSec }) => [track!.userId, finishSec, gapSec])

    assert.deepEqual(times('gun'), [
      ['anna', 60, 0],
      ['carl', 61, 1],
      ['bob', 64, 4],
    ])
    assert.deepEqual(times('net'), [
      ['bob', 55, 0],
      ['anna', 59, 4],
      ['carl', 61, 6],
    ])
  })

  test('ranks each category by itself, and runners without one only among all', () => {
    const tracks = [finished('anna', 60), finished('bob', 61), finished('carl', 62), finished('dora', 63)]
    const runners = [runner('anna', 'F'), runner('bob', 'M'), runner('carl'), runner('dora', 'F')]

    assert.deepEqual(ranksOf(tracks, runners), [
      ['anna', 1, 1],
      ['bob', 2, 1],
      ['carl', 3, null],
      ['dora', 4, 2],
    ])
  })

  test('gives tracks outside the start list and runners with a status no rank', () => {
    const tracks = [finished('guest', 50), finished('bob', 55), finished('anna', 60)]

    const ranks = ranksOf(tracks, [runner('bob', 'M', 'dsq'), runner('anna', 'F')])

    assert.deepEqual(ranks, [
      ['anna', 1, 1],
      ['guest', null, null],
      ['bob', null, null],
    ])
  })

  test('gives those who have only started no place, in the order of their progress', () => {
    const started = (userId: string, startMs: number, progressM: number): RacedTrack => ({
      ...finished(userId, 0),
      standing: { state: 'running', passings: [passing(0, startMs)], progressM, offCourseM: null },
    })
    const tracks = [started('bob', 0, 300), started('carl', 2000, 400), finished('anna', 60)]
    const list = ['bob', 'carl', 'anna'].map((name) => runner(name, 'F'))

    for (const runners of [[], list]) {
      const ranked = rankRunners({ gates: GATES, gunMs: 0, timeBasis: 'gun', runners, tracks })
      const category = runners.length === 0 ? null : 1
      assert.deepEqual(
        ranked.map(({ track, rank, categoryRank, gapSec }) => [track?.userId, rank, categoryRank, gapSec]),
        [
          ['anna', 1, category, 0],
          ['carl', null, null, null],
          ['bob', null, null, null],
        ],
      )
    }
  })

  test('takes the earlier of two tracks of a runner that are equally far', () => {
    const later = { ...finished('anna', 60), id: 'a', startMs: 5 }
    const earlier = { ...finished('anna', 60), id: 'b', startMs: 3 }

    for (const tracks of [
      [later, earlier],
      [earlier, later],
    ])
      assert.deepEqual(
        rankRunners({ gates: GATES, gunMs: null, timeBasis: 'gun', runners: [], tracks }).map(({ track }) => track?.id),
        ['b'],
      )
  })
})
