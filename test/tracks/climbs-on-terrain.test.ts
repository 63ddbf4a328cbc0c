import assert from 'node:assert/strict'
import { test } from 'node:test'
import sharp from 'sharp'
import type { MapChoice, MapFile, MapSettings } from '../../src/maps/schemas.ts'
import type { OperatorTrack } from '../../src/tracks/api/operator-track-schemas.ts'
import type { TrackSeries } from '../../src/tracks/statistics/schemas.ts'
import { uploadMap } from '../operator/support/map-requests.ts'
import { createEvent } from '../support/create-event.ts'
import { oneDatabase } from '../support/databases.ts'
import { describeTracks } from '../support/describe-service.ts'
import { until } from '../support/event-webhooks.ts'
import { climbUntil, heightAt, hillyPlace, hillyRun } from '../support/hilly-course.ts'
import {
  type Bounds,
  elevationColours,
  makeMapFile,
  makeRasterMap,
  makeTerrain,
  tilesWithin,
} from '../support/make-map-file.ts'
import { readProblem, wrongPlaces } from '../support/problem.ts'

const SECONDS = 1800
const ZOOM = 13
const START = hillyPlace(0)
const END = hillyPlace(3 * SECONDS)
const BOUNDS: Bounds = [START.longitude - 0.01, START.latitude - 0.01, END.longitude + 0.01, END.latitude + 0.01]
const metersAt = (latitude: number) => heightAt((latitude - START.latitude) * 111_195)
/** The world at 500 m. */
const colours = elevationColours({ z: 0, x: 0, y: 0 }, () => 500)
const terrain = await makeTerrain({ metersAt, bounds: BOUNDS, zoom: ZOOM })

describeTracks(
  'Climbs on the terrain that operators chose',
  { on: oneDatabase, signedIn: true },
  async ({ service }) => {
    const another = await service.startAnother()
    const withoutDashboard = await service.startAnother({ SERVICES: 'tracks' })
    const { answer, request, operator, url } = service
    const { phone, headers } = await createEvent(service, { name: 'Trail' })
    const sync = (seed: number, sigmaMeters = 5) => phone.sync({ points: hillyRun(SECONDS, { sigmaMeters, seed }) })
    const upload = async (bytes: Buffer, name?: string) => {
      const response = await uploadMap(url, operator, bytes, name)
      assert.equal(response.status, 201)
      return ((await response.json()) as MapFile).id
    }
    const put = (choice: Partial<MapChoice>) => request('PUT', '/operator/map', { kind: 'outlines', ...choice })
    const choose = async (choice: Partial<MapChoice> = {}) => {
      const response = await put(choice)
      assert.equal(response.status, 200, await response.clone().text())
      return (await response.json()) as MapSettings
    }
    const read = (id: string) => answer<OperatorTrack>(200, 'GET', `/operator/tracks/${id}`)
    const elevationOf = ({ stats }: OperatorTrack) =>
      (stats as unknown as { method: { elevation: string } }).method.elevation
    const elsewhere = async (instance: { url: string }, id: string) => {
      const response = await fetch(`${instance.url}/tracks/${id}`, { headers })
      assert.equal(response.status, 200)
      return (await response.json()) as OperatorTrack
    }

    test('are those of the phone until there is a file, then also of its heights, and again without it', async () => {
      const truth = climbUntil(3 * SECONDS)
      const id = await sync(3)
      const alone = await read(id)
      const elevation_file_id = await upload(terrain)
      const { choice } = await choose({ elevation_file_id })
      const known = await read(id)
      const series = await answer<TrackSeries>(200, 'GET', `/operator/tracks/${id}/series`)
      await choose({ elevation_file_id, elevation_error_m: 12 })
      const doubted = await read(id)
      await choose()
      const without = await read(id)

      assert.deepEqual([choice.elevation_file_id, choice.elevation_error_m], [elevation_file_id, null])
      assert.deepEqual([alone, known, doubted, without].map(elevationOf), ['kalman', 'terrain', 'kalman', 'kalman'])
      assert.deepEqual(without.stats, alone.stats)
      assert.equal(doubted.stats.elevation_gain_m, alone.stats.elevation_gain_m)
      const errorOf = ({ stats }: OperatorTrack) => Math.abs(stats.elevation_gain_m - truth)
      assert.ok(errorOf(known) < Math.min(errorOf(alone), 0.05 * truth), `${errorOf(known)} and ${errorOf(alone)} m`)
      assert.equal(series.elevation_method, 'terrain')
      assert.equal(
        known.provenance.find(({ statistic }) => statistic === 'elevation_gain_m')?.rule,
        'elevation_terrain',
      )
    })

    test('follow the choice on every instance, and stay where an instance does not know it', async () => {
      const id = await sync(4)
      await choose({ elevation_file_id: await upload(terrain) })

      const there = await until(
        () => elsewhere(another, id),
        (track) => elevationOf(track) === 'terrain',
      )
      const stored = await until(
        async () => {
          // Figures are stored after they were answered.
          await elsewhere(another, id)
          return await elsewhere(withoutDashboard, id)
        },
        (track) => elevationOf(track) === 'terrain',
      )

      assert.deepEqual(stored.stats, there.stats)
      assert.deepEqual((await read(id)).stats, there.stats)
      await choose()
    })

    test('are those of the phone where the tiles cannot be read, and every track is finished', async () => {
      const damaged = tilesWithin(BOUNDS, ZOOM, ZOOM).map((tile) => ({ ...tile, bytes: Buffer.from('no image') }))
      // The tile that is looked at when the file is chosen is fine.
      const bytes = Buffer.from(
        await sharp(colours, { raw: { width: 256, height: 256, channels: 3 } })
          .png()
          .toBuffer(),
      )
      const broken = makeMapFile({ tiles: [{ z: 0, x: 0, y: 0, bytes }, ...damaged], tileType: 2 })
      await choose({ elevation_file_id: await upload(broken) })

      const id = await sync(5)

      assert.equal(elevationOf(await read(id)), 'kalman')
      await choose()
    })

    test('are never from a file that is refused, or deleted while it is chosen', async () => {
      const images = await upload(await makeRasterMap({ maxZoom: 2 }))
      const damaged = makeMapFile({ tiles: [{ z: 0, x: 0, y: 0, bytes: Buffer.from('none') }], tileType: 2 })
      const good = await upload(terrain)
      for (const [choice, field] of [
        [{ elevation_file_id: images }, 'elevation_file_id'],
        [{ elevation_file_id: await upload(damaged) }, 'elevation_file_id'],
        [{ elevation_file_id: 'f'.repeat(64) }, 'elevation_file_id'],
        [{ elevation_file_id: good, elevation_error_m: 0 }, 'elevation_error_m'],
        [{ elevation_file_id: good, elevation_error_m: 31 }, 'elevation_error_m'],
      ] as const)
        assert.deepEqual(await wrongPlaces(await put(choice)), [field])

      await choose({ elevation_file_id: good })

      await readProblem(await request('DELETE', `/operator/map/files/${good}`), 409, 'CONFLICT')
      await choose()
    })
  },
)
