import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { ReplayTrack } from '../../../src/tracks/statistics/schemas.ts'
import { Player, stepSec, usualSpeed } from './player.ts'
import {
  mercatorX,
  mercatorY,
  nextBusySec,
  placeAt,
  runnersOf,
  standingsAt,
  timelineOf,
  usualMode,
  valueAt,
} from './replay-timeline.ts'

const START_MS = Date.UTC(2026, 4, 3, 6)

/** A runner who starts so many seconds after the first, and covers these meters in steps of 10 s. */
const track = (name: string, startSec: number, meters: number[], more: Partial<ReplayTrack> = {}): ReplayTrack => ({
  track_id: name,
  name,
  title: name,
  activity_type: 'run',
  state: 'stopped',
  start_ms: START_MS + startSec * 1000,
  time_sec: meters.map((_, i) => i * 10),
  latitude: meters.map((m) => m / 100_000),
  longitude: meters.map(() => 6),
  distance_m: meters,
  ...more,
})
const runners = (...tracks: ReplayTrack[]) => runnersOf({ tracks_total: tracks.length, tracks })

describe('a runner of a replay', () => {
  const [anna] = runners(track('Anna', 0, [0, 30, 90]))

  test('moves evenly between two positions', () => {
    assert.equal(valueAt(anna.meters, placeAt(anna, 5)), 15)
    assert.equal(valueAt(anna.meters, placeAt(anna, 15)), 60)
    assert.equal(valueAt(anna.meters, placeAt(anna, 10)), 30)
  })

  test('waits at the start and stays at the end', () => {
    assert.equal(valueAt(anna.meters, placeAt(anna, -100)), 0)
    assert.equal(valueAt(anna.meters, placeAt(anna, 100)), 90)
  })

  test('crosses the antimeridian the short way', () => {
    const [sailor] = runners(track('Sailor', 0, [0, 100], { longitude: [179.9, -179.9] }))

    assert.ok(Math.abs(valueAt(sailor.x, placeAt(sailor, 5)) - 1) < 1e-9)
  })

  test('is drawn in Web Mercator', () => {
    assert.deepEqual([mercatorX(-180), mercatorX(180), mercatorY(0)], [0, 1, 0.5])
    assert.ok(Math.abs(mercatorY(85.0511287798)) < 1e-9)
  })
})

describe('the timeline', () => {
  const both = runners(track('Anna', 0, [0, 30, 90]), track('Bea', 120, [0, 40, 80, 120]))

  test('starts everyone together, or each at their time of day', () => {
    const [common, clock] = [timelineOf(both, 'common'), timelineOf(both, 'clock')]

    assert.deepEqual([common.durationSec, clock.durationSec], [30, 150])
    assert.deepEqual([...common.startsSec.values()], [0, 0])
    assert.deepEqual([...clock.startsSec.values()], [0, 120])
    assert.equal(clock.originMs, START_MS)
  })

  test('skips the night between two days', () => {
    const days = timelineOf(runners(track('Anna', 0, [0, 30]), track('Bea', 86_400, [0, 40])), 'clock')

    assert.equal(nextBusySec(days, 5), 5)
    assert.equal(nextBusySec(days, 11), 86_400)
    assert.equal(nextBusySec(days, 90_000), 86_410)
  })

  test('is by time of day for a race, and with a common start for rides on different days', () => {
    assert.equal(usualMode(runners(track('Anna', 0, [0, 30, 90]), track('Bea', 10, [0, 30, 90]))), 'clock')
    assert.equal(usualMode(runners(track('Anna', 0, [0, 30]), track('Bea', 86_400, [0, 40]))), 'common')
  })
})

describe('the standings', () => {
  const field = runners(
    track('Anna', 0, [0, 30, 90]),
    track('Bea', 0, [0, 40, 80]),
    track('Chloé', 60, [0, 10]),
    track('Dora', 0, [0, 20], { state: 'running' }),
  )

  test('have the one who has come furthest first, and those who have not started last', () => {
    const at = (sec: number) => standingsAt(field, timelineOf(field, 'clock'), sec).map(({ runner }) => runner.name)

    assert.deepEqual(at(10), ['Bea', 'Anna', 'Dora', 'Chloé'])
    assert.deepEqual(at(20), ['Anna', 'Bea', 'Dora', 'Chloé'])
  })

  test('tell who waits, runs, has ended, or was last seen running', () => {
    const states = standingsAt(field, timelineOf(field, 'clock'), 30)

    assert.deepEqual(
      states.map(({ runner, state, elapsedSec }) => [runner.name, state, elapsedSec]),
      [
        ['Anna', 'ended', 20],
        ['Bea', 'ended', 20],
        ['Dora', 'running', 10],
        ['Chloé', 'waiting', 0],
      ],
    )
  })
})

describe('the player', () => {
  const make = () => new Player({ fromSec: 0, untilSec: 100, skipTo: (sec) => (sec > 20 && sec < 50 ? 50 : sec) })

  test('advances by the speed, skips what is idle, and pauses at the end', () => {
    const player = make()
    player.choose(10)
    player.play()

    const seen = [0, 1000, 2500, 7000, 9000].map((ms) => {
      player.tick(ms)
      return player.state.atSec
    })

    assert.deepEqual(seen, [0, 10, 50, 95, 100])
    assert.equal(player.state.isPlaying, false)
  })

  test('goes on where it was paused, whatever time has passed', () => {
    const player = make()
    player.choose(1)
    player.play()
    player.tick(0)
    player.tick(5000)
    player.pause()
    player.tick(50_000)
    player.play()
    player.tick(60_000)
    player.tick(61_000)

    assert.equal(player.state.atSec, 6)
  })

  test('begins again from the end, and stays within the timeline', () => {
    const player = make()
    player.seek(1000)
    assert.equal(player.state.atSec, 100)
    player.play()
    assert.equal(player.state.atSec, 0)
    player.seek(-5)
    assert.equal(player.state.atSec, 0)
  })

  test('has a speed and a step that suit the length', () => {
    assert.deepEqual([usualSpeed(60), usualSpeed(3600), usualSpeed(86_400 * 3)], [1, 60, 600])
    assert.deepEqual([stepSec(30), stepSec(3600), stepSec(86_400)], [1, 30, 600])
  })

  test('keeps up with what goes on, goes back in it, and comes to the present again', () => {
    let presentSec = 50
    const player = new Player({ fromSec: 0, untilSec: 60, skipTo: (sec) => sec, presentSec: () => presentSec })
    const seen: unknown[] = []
    const note = () => seen.push([player.state.atSec, player.state.isLive, player.state.isPlaying])
    player.tick(0)
    note()
    presentSec = 52
    player.tick(2000)
    note()
    player.seek(40)
    player.choose(10)
    player.tick(2000)
    player.tick(3000)
    note()
    presentSec = 58
    player.tick(4000)
    note()
    player.seek(20)
    player.pause()
    note()
    player.seek(57)
    note()

    assert.deepEqual(seen, [
      [50, true, true],
      [52, true, true],
      [50, false, true],
      [58, true, true],
      [20, false, false],
      [58, true, true],
    ])
    assert.equal(player.state.speed, 1)
  })

  test('that shows the present changes nothing while nothing moves', () => {
    const player = new Player({ fromSec: 0, untilSec: 60, skipTo: (sec) => sec, presentSec: () => 50 })
    player.tick(0)
    let changes = 0
    player.subscribe(() => changes++)

    for (let ms = 0; ms < 1000; ms += 17) player.tick(ms)

    assert.equal(changes, 0)
  })
})
