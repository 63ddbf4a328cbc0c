import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { OperatorTrack } from '../../src/tracks/api/operator-track-schemas.ts'
import type { RawPointList, TrackSeries } from '../../src/tracks/statistics/schemas.ts'
import { createEvent } from '../support/create-event.ts'
import { describeTracks } from '../support/describe-service.ts'
import { makePoints } from '../support/make-points.ts'

/** Height of the sea above the ellipsoid in Paris, where the points are, in metres (EGM96). */
const GEOID_METERS = 44.6
const SUMMIT_METERS = 4800

/** A climb of 60 m to the summit, as a phone measures it whose altitudes are too high by `error`. */
const climb = (error: number, fields: object = {}) =>
  makePoints(61).map((point, i) => ({ ...point, altitude: SUMMIT_METERS - 60 + i + error, ...fields }))

describeTracks('What altitudes are above', { signedIn: true }, async ({ service }) => {
  const { answer, request } = service
  const { phone, headers } = await createEvent(service, { name: 'Trail' })
  const method = async (id: string) => {
    const { method: found } = (await phone.read(id)).stats as unknown as { method: Record<string, unknown> }
    return [found.altitude_reference, found.altitude_reference_source]
  }
  const highest = async (id: string) => (await phone.read(id)).stats.max_altitude_m!
  const assertNear = (value: number, expected: number, withinMeters: number) =>
    assert.ok(Math.abs(value - expected) <= withinMeters, `${value} instead of ${expected}`)

  test('phones of both systems are on one summit at one height', async () => {
    const android = await phone.sync({
      track: { altitude_reference: 'ellipsoid' },
      points: climb(GEOID_METERS + 3),
    })
    const iphone = await phone.sync({ points: climb(-2, { altitude_reference: 'sea_level' }) })

    assertNear((await highest(android)) - (await highest(iphone)), 5, 0.5)
    assertNear(await highest(iphone), SUMMIT_METERS - 2, 1e-9)
    assert.deepEqual(await method(android), ['ellipsoid', 'track'])
    assert.deepEqual(await method(iphone), ['sea_level', 'points'])
  })

  test('nothing changes for a client that does not say it', async () => {
    const id = await phone.sync({ points: climb(GEOID_METERS) })

    assert.equal(await highest(id), SUMMIT_METERS + GEOID_METERS)
    assert.deepEqual(await method(id), [undefined, undefined])
    assert.equal('altitude_reference' in (await phone.read(id)), false)
  })

  test('a point that says it counts before its track, and the climb is the same', async () => {
    const points = climb(GEOID_METERS).map((point, i) =>
      i < 30 ? point : { ...point, altitude: point.altitude - GEOID_METERS, altitude_reference: 'sea_level' },
    )
    const id = await phone.create({ altitude_reference: 'ellipsoid' })
    await phone.add(id, points)
    const { stats } = await phone.finish(id)

    assertNear(stats.elevation_gain_m, 60, 0.5)
    assertNear(stats.min_altitude_m!, SUMMIT_METERS - 60, 0.5)
    assert.deepEqual(await method(id), ['mixed', 'points'])
  })

  test('profiles and files are above the sea, and raw points stay as sent', async () => {
    const points = climb(GEOID_METERS, { altitude_reference: 'ellipsoid' })
    const id = await phone.sync({ points })
    const sent = climb(GEOID_METERS).map(({ altitude }) => altitude)
    const file = async (format: string) =>
      await (await request('GET', `/tracks/${id}/export?format=${format}`, undefined, headers)).text()

    const series = await answer<TrackSeries>(200, 'GET', `/operator/tracks/${id}/series`)
    const raw = await answer<RawPointList>(200, 'GET', `/operator/tracks/${id}/points`)

    assertNear(series.altitude.at(-1)!, SUMMIT_METERS, 0.5)
    assertNear(series.extremes.max_altitude_m!.value, SUMMIT_METERS, 0.5)
    assert.deepEqual(
      raw.points.map(({ altitude }) => altitude),
      sent,
    )
    assert.deepEqual(
      (await phone.points(id)).points.map(({ altitude }) => altitude),
      sent,
    )
    const heights = [...(await file('gpx')).matchAll(/<ele>([\d.]+)<\/ele>/g)]
    assertNear(Number(heights.at(-1)?.[1]), SUMMIT_METERS, 0.5)
    for (const format of ['gpx', 'tcx', 'kml', 'geojson', 'csv']) {
      assert.doesNotMatch(await file(format), /ellipsoid/, `${format} would be converted again`)
    }
    const [names, ...lines] = (await file('csv'))
      .trim()
      .split('\r\n')
      .map((line) => line.split(','))
    assertNear(Number(lines.at(-1)![names.indexOf('altitude')]), SUMMIT_METERS, 0.5)
  })

  test('an operator says it of a track that does not, and takes it back', async () => {
    const id = await phone.sync({ points: climb(GEOID_METERS) })
    const change = async (altitude_reference: string | null) =>
      await answer<OperatorTrack>(200, 'PATCH', `/operator/tracks/${id}`, { altitude_reference })

    const said = await change('ellipsoid')
    const rule = said.provenance.find(({ statistic }) => statistic === 'max_altitude_m')?.rule
    const takenBack = await change(null)

    assertNear(said.stats.max_altitude_m!, SUMMIT_METERS, 0.5)
    assert.deepEqual([said.altitude_reference, rule], ['ellipsoid', 'altitude_range_ellipsoid'])
    assert.equal(takenBack.stats.max_altitude_m, SUMMIT_METERS + GEOID_METERS)
    assert.equal(takenBack.altitude_reference, undefined)
  })

  test('a raw point has what was sent with it', async () => {
    const id = await phone.sync({ points: climb(0, { altitude_reference: 'sea_level' }) })

    const { points } = await answer<RawPointList>(200, 'GET', `/operator/tracks/${id}/points`)

    assert.deepEqual(new Set(points.map(({ altitude_reference }) => altitude_reference)), new Set(['sea_level']))
  })
})
