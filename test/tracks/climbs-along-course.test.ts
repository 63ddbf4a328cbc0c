import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { OperatorTrack } from '../../src/tracks/api/operator-track-schemas.ts'
import type { Results } from '../../src/tracks/race/result-schemas.ts'
import type { TrackSeries } from '../../src/tracks/statistics/schemas.ts'
import { createEvent } from '../support/create-event.ts'
import { describeTracks } from '../support/describe-service.ts'
import { until } from '../support/event-webhooks.ts'
import { climbUntil, heightAt, hillyPlace, hillyRun } from '../support/hilly-course.ts'
import { readZip } from '../support/read-zip.ts'
import { wanderingNoise } from '../support/wandering-noise.ts'

const SECONDS = 1800
/** Metres of the sea above the ellipsoid at the way (EGM96). */
const GEOID_METERS = 50.6

function gpxOf(metersAt: (wayMeters: number) => number): string {
  const places = Array.from({ length: 300 }, (_, i) => {
    const { latitude, longitude } = hillyPlace(20 * i)
    return `<trkpt lat="${latitude}" lon="${longitude}"><ele>${metersAt(20 * i).toFixed(1)}</ele></trkpt>`
  })
  return `<gpx version="1.1"><trk><trkseg>${places.join('')}</trkseg></trk></gpx>`
}

describeTracks('Climbs along the course of an event', { signedIn: true }, async ({ service }) => {
  const another = await service.startAnother()
  const { answer, request, operator } = service
  const { phone, headers, ...event } = await createEvent(service, { name: 'Trail' })
  const path = `/operator/events/${event.id}/course`
  const putCourse = async (metersAt = heightAt) => {
    const response = await operator.send('PUT', path, gpxOf(metersAt), 'application/gpx+xml')
    assert.equal(response.status, 200, await response.text())
  }
  const read = async (id: string) => await answer<OperatorTrack>(200, 'GET', `/operator/tracks/${id}`)
  const methodOf = ({ stats }: OperatorTrack) =>
    (stats as unknown as { method: { elevation: string; altitude_reference?: string } }).method

  test('are those of the phone until there is a course, then also of its heights, and again without it', async () => {
    const truth = climbUntil(3 * SECONDS)
    const id = await phone.sync({ points: hillyRun(SECONDS, { sigmaMeters: 5, seed: 3 }) })
    const alone = await read(id)
    await putCourse()
    const along = await read(id)
    const series = await answer<TrackSeries>(200, 'GET', `/operator/tracks/${id}/series`)
    await putCourse((meters) => heightAt(meters) + 8)
    const higher = await read(id)
    await answer(204, 'DELETE', path)
    const without = await read(id)

    assert.deepEqual(
      [alone, along, higher, without].map((track) => methodOf(track).elevation),
      ['kalman', 'course', 'course', 'kalman'],
    )
    assert.deepEqual(without.stats, alone.stats)
    assert.ok(
      Math.abs(along.stats.elevation_gain_m - truth) < Math.abs(alone.stats.elevation_gain_m - truth),
      `${along.stats.elevation_gain_m} and ${alone.stats.elevation_gain_m} m of ${truth} m`,
    )
    assert.ok(Math.abs(higher.stats.max_altitude_m! - along.stats.max_altitude_m! - 8) < 0.5)
    assert.equal(series.elevation_method, 'course')
    assert.ok(Math.abs(series.extremes.max_altitude_m!.value - along.stats.max_altitude_m!) < 0.01)
    assert.equal(along.provenance.find(({ statistic }) => statistic === 'elevation_gain_m')?.rule, 'elevation_course')
  })

  test('follow the course of the event on every instance', async () => {
    await putCourse()
    const id = await phone.sync({ points: hillyRun(SECONDS, { sigmaMeters: 5, seed: 4 }) })
    const elsewhere = async () => {
      const response = await fetch(`${another.url}/tracks/${id}`, { headers })
      return ((await response.json()) as OperatorTrack).stats
    }
    const before = await elsewhere()

    await putCourse((meters) => heightAt(meters) - 5)

    assert.ok(Math.abs(before.max_altitude_m! - (await elsewhere()).max_altitude_m! - 5) < 0.5)
  })

  test('are in results, in GeoJSON and in the list of an archive, with their intervals', async () => {
    await putCourse()
    const id = await phone.sync({ points: hillyRun(SECONDS, { sigmaMeters: 3, seed: 7 }) })
    const { stats } = await read(id)
    const { elevation_gain_interval_m, elevation_loss_interval_m } = stats
    const climbs = [stats.elevation_gain_m, ...elevation_gain_interval_m!]
    const cells = [...climbs, stats.elevation_loss_m, ...elevation_loss_interval_m!].map(
      (value) => Math.round(value * 10) / 10,
    )
    const columns = ['gain', 'loss'].map((name) => ['', '_low', '_high'].map((end) => `elevation_${name}${end}_m`))
    const results = `/operator/events/${event.id}/results`

    // Figures are stored after they were answered.
    const { entries } = await until(
      () => answer<Results>(200, 'GET', results),
      (found) =>
        found.entries.some(({ track_id, elevation_gain_m }) => track_id === id && elevation_gain_m !== undefined),
    )
    const csv = await (await request('GET', `${results}?format=csv`)).text()
    const entry = entries.find(({ track_id }) => track_id === id)!

    const { elevation_gain_m, elevation_loss_m } = entry
    assert.deepEqual(
      [elevation_gain_m, ...entry.elevation_gain_interval_m!, elevation_loss_m, ...entry.elevation_loss_interval_m!],
      cells,
    )
    assert.ok(csv.includes(`,${columns.join()},`), csv)
    assert.ok(csv.includes(`,${cells.join()},`), csv)
    const file = await request('GET', `/tracks/${id}/export?format=geojson`, undefined, headers)
    const { properties } = (await file.json()) as { properties: Record<string, unknown> }
    for (const name of ['elevation_gain', 'elevation_loss']) {
      assert.equal(properties[`${name}_m`], stats[`${name}_m` as keyof typeof stats])
      assert.deepEqual(properties[`${name}_interval_m`], stats[`${name}_interval_m` as keyof typeof stats])
    }
    assert.ok(properties.elevation_loss_interval_m)
    const zip = await readZip(await (await request('GET', `/operator/events/${event.id}/export?format=csv`)).bytes())
    const archive = String(zip.get('tracks.csv'))
    assert.ok(archive.includes(`,${columns.join()}\r\n`), archive)
    assert.ok(archive.includes(`,${cells.join()}\r\n`), archive)
  })

  test('are also from other phones once ten people have finished, until there is another course', async () => {
    const errors = wanderingNoise(300, 4, { keep: Math.exp(-1 / 5), seed: 12 })
    await putCourse((meters) => heightAt(meters) + errors[meters / 20])
    const runner = async (i: number) =>
      await phone.sync({
        track: { user_id: `runner ${i}` },
        points: hillyRun(SECONDS, { sigmaMeters: 4, aboveMeters: i, seed: 100 + i }),
      })
    const update = () => answer(200, 'POST', '/operator/jobs/event-heights/run')
    const id = await runner(0)
    for (let i = 1; i < 9; i++) await runner(i)
    await update()
    const along = await read(id)
    await runner(9)

    await update()

    const together = await until(
      () => read(id),
      (track) => methodOf(track).elevation === 'event',
    )
    assert.equal(methodOf(along).elevation, 'course')
    const truth = climbUntil(3 * SECONDS)
    assert.ok(
      Math.abs(together.stats.elevation_gain_m - truth) < Math.abs(along.stats.elevation_gain_m - truth),
      `${together.stats.elevation_gain_m} and ${along.stats.elevation_gain_m} m of ${truth} m`,
    )
    assert.equal(together.provenance.find(({ statistic }) => statistic === 'elevation_gain_m')?.rule, 'elevation_event')
    await putCourse()
    assert.equal(methodOf(await read(id)).elevation, 'course')
  })

  test('phones of both systems that say nothing are on one summit, and so are their files', async () => {
    await putCourse()
    const android = await phone.sync({
      points: hillyRun(SECONDS, { sigmaMeters: 3, aboveMeters: GEOID_METERS + 5, seed: 5 }),
    })
    const iphone = await phone.sync({ points: hillyRun(SECONDS, { sigmaMeters: 3, aboveMeters: -5, seed: 6 }) })

    const [first, second] = [await read(android), await read(iphone)]
    const highestInFile = async () => {
      const csv = await (await request('GET', `/tracks/${android}/export?format=csv`, undefined, headers)).text()
      const lines = csv.trim().split('\r\n').slice(1)
      return Math.max(...lines.map((line) => Number(line.split(',')[3])))
    }
    // Figures are stored after they were answered.
    const isAboveSea = (highest: number) => Math.abs(highest - first.stats.max_altitude_m!) < 20

    assert.ok(Math.abs(first.stats.max_altitude_m! - second.stats.max_altitude_m!) < 10)
    assert.deepEqual(
      [first, second].map((track) => methodOf(track).altitude_reference),
      ['ellipsoid', 'sea_level'],
    )
    assert.ok(isAboveSea(await until(highestInFile, isAboveSea)))
  })
})
