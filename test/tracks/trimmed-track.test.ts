import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import type { OperatorTrack, TrackSummaryList } from '../../src/tracks/api/operator-track-schemas.ts'
import type { LivePoints } from '../../src/tracks/live/schemas.ts'
import type { Share, SharedTrackList } from '../../src/tracks/shares/schemas.ts'
import type { RawPointList, SplitList, TrackSeries } from '../../src/tracks/statistics/schemas.ts'
import { createEvent } from '../support/create-event.ts'
import { oneDatabase } from '../support/databases.ts'
import { describeTracks } from '../support/describe-service.ts'
import { makePoints } from '../support/make-points.ts'
import { openEvents } from '../support/read-events.ts'

const tokenOf = (share: Share) => /shr_[^/?#]+/.exec(share.url!)![0]

/** Time for statistics that are computed in the background. */
const COMPUTED_WITHIN_MS = 10_000

describeTracks('A trimmed track', { on: oneDatabase, signedIn: true }, async ({ service }) => {
  const { answer, request } = service
  const { phone, ...event } = await createEvent(service, { name: 'Trail' })
  const points = makePoints(100, undefined, { altitude: 500 })
  const share = await answer<Share>(201, 'POST', `/operator/events/${event.id}/shares`, {})
  const shared = `/shares/${tokenOf(share)}`

  /** A track of which the points from the 21st to the 80th are shown, with the statistics of these points alone. */
  async function trimmedTrack() {
    const id = await phone.sync({ points, stats: { distance_meters: 9_999 } })
    const alone = await phone.sync({ points: points.slice(20, 80) })
    const trim = { shown_from: points[20].timestamp, shown_until: points[79].timestamp }
    const track = await answer<OperatorTrack>(200, 'PATCH', `/operator/tracks/${id}`, trim)
    return { id, track, shown: (await phone.read(alone)).stats }
  }

  /** Returns the statistics in the lists of operators and spectators, once they are stored. */
  async function listed(id: string) {
    const read = async () => {
      const mine = await answer<TrackSummaryList>(200, 'GET', `/operator/events/${event.id}/tracks`)
      const theirs = await answer<SharedTrackList>(200, 'GET', `${shared}/tracks`)
      return [...mine.tracks, ...theirs.tracks].filter((track) => track.id === id).map(({ stats }) => stats)
    }
    const deadline = Date.now() + COMPUTED_WITHIN_MS
    while ((await read()).includes(null) && Date.now() < deadline) await wait(50)
    return await read()
  }

  test('has the statistics of its shown part for operators, and its own for the app', async () => {
    const { id, track, shown } = await trimmedTrack()

    assert.deepEqual(track.shown_stats, shown)
    assert.equal(track.stats.distance_meters, 9_999)
    assert.equal(track.points_used, 60)
    assert.ok(track.provenance.every(({ source }) => source === 'computed'))
    const { stats, points_count, ...rest } = await phone.read(id)
    assert.deepEqual([stats.distance_meters, points_count], [9_999, 100])
    assert.equal('shown_stats' in rest, false)
    assert.equal((await phone.points(id)).count, 100)
  })

  test('has a line, splits and lists of its shown part, also for spectators', async () => {
    const { id, shown } = await trimmedTrack()

    for (const path of [`/operator/tracks/${id}`, `${shared}/tracks/${id}`]) {
      const series = await answer<TrackSeries>(200, 'GET', `${path}/series`)
      const { splits } = await answer<SplitList>(200, 'GET', `${path}/splits`)
      assert.deepEqual([series.time_ms.length, series.points_count], [60, 60])
      assert.equal(series.distance_meters.at(-1), Math.round(shown.distance_meters * 100) / 100)
      assert.ok(Math.abs(splits.reduce((sum, split) => sum + split.distance_meters, 0) - shown.distance_meters) < 0.01)
    }
    assert.deepEqual(
      (await listed(id)).map((stats) => stats?.distance_meters),
      [shown.distance_meters, shown.distance_meters],
    )
  })

  test('has other statistics as soon as one of its ends is moved', async () => {
    const moves = [{ shown_from: points[30].timestamp }, { shown_until: points[69].timestamp }]
    for (const move of moves) {
      const { id } = await trimmedTrack()
      // Its statistics are stored now.
      assert.equal((await listed(id)).includes(null), false)

      const track = await answer<OperatorTrack>(200, 'PATCH', `/operator/tracks/${id}`, move)

      assert.equal(track.points_used, 50)
    }
  })

  test('has its ends for operators alone, and all its points as they were sent', async () => {
    const { id } = await trimmedTrack()

    const series = await answer<TrackSeries>(200, 'GET', `/operator/tracks/${id}/series`)
    const spectators = await answer<TrackSeries>(200, 'GET', `${shared}/tracks/${id}/series`)

    assert.deepEqual(
      series.trimmed.map(({ latitude }) => latitude.length),
      [20, 20],
    )
    assert.deepEqual(spectators.trimmed, [])
    assert.equal((await answer<RawPointList>(200, 'GET', `/operator/tracks/${id}/points`)).total, 100)
  })

  test('shows spectators no position of its ends, on the page and in the stream', async (t) => {
    const { id } = await trimmedTrack()
    const one = await answer<Share>(201, 'POST', `/operator/events/${event.id}/shares`, { track_id: id })
    const token = tokenOf(one)
    const stream = await openEvents(`${service.url}/shares/${token}/live`)
    t.after(() => stream.close())

    const page = await (await request('GET', `/s/${token}`, undefined, { accept: 'text/html' })).text()
    const live = await stream.until(({ event: name }) => name === 'ready')

    assert.ok(page.includes(points[79].latitude.toFixed(5)), 'the end of the shown part')
    assert.ok(!page.includes(points[99].latitude.toFixed(5)), 'the end of the track')
    const sent = live
      .filter(({ event: name }) => name === 'points')
      .flatMap(({ data }) => (data as LivePoints).latitude)
    assert.deepEqual([sent[0], sent.at(-1)], [points[20].latitude, points[79].latitude])
  })

  test('is whole again when the trim is removed', async () => {
    const { id } = await trimmedTrack()

    const track = await answer<OperatorTrack>(200, 'PATCH', `/operator/tracks/${id}`, {
      shown_from: null,
      shown_until: null,
    })

    assert.equal(track.shown_stats, undefined)
    const series = await answer<TrackSeries>(200, 'GET', `/operator/tracks/${id}/series`)
    assert.deepEqual([series.time_ms.length, series.trimmed], [100, []])
  })
})
