import { type Bounds, makeTerrain } from '../../test/support/make-map-file.ts'
import { Connection } from '../load/connection.ts'
import { fillTrack } from '../load/fill-track.ts'
import { signIn } from '../load/operator.ts'
import { plainRequest } from '../load/points-request.ts'
import { walk } from '../load/walk.ts'
import { spentOn } from '../program/processor-time.ts'
import { createTracks, type Target } from '../program/target.ts'
import { untilQuiet } from '../program/until-quiet.ts'
import { median } from '../report/figure.ts'
import type { Part } from './part.ts'

const POINTS = 50_000
const TRACKS = 7
const WARM_UP_ROUNDS = 3
const TERRAIN_ZOOM = 13
/** The warm-up of threads, or what signing in left behind, would count as well. */
const QUIET_MS = 700
const QUIET_WITHIN_MS = 20_000

type Timed = { tookMs: number; spentMs: number }

/** Tracks of 50,000 points: finishing them for the first time and again, with statistics, and reading them. */
export const longTracks: Part = {
  name: 'long-tracks',
  title: 'Tracks of 50,000 points (8 MB)',
  engines: 'both',
  async *measure({ engine, effort }) {
    const server = await engine.start()
    const ids = await createTracks(server, 'long', TRACKS)
    for (const id of ids) await fillTrack(server, id, POINTS)
    const connection = await Connection.open(server.url)
    const finish = (id: string) => exchange(server, connection, plainRequest(server, 'POST', `/tracks/${id}/finish`))
    const quiet = () => untilQuiet(server.pid, QUIET_MS, QUIET_WITHIN_MS)
    const first: Timed[] = []
    const again: Timed[] = []
    await quiet()
    for (const id of ids) first.push(await finish(id))
    for (let round = 0; round < effort.rounds; round++) again.push(await finish(ids[round % TRACKS]))
    const { reading, stringifyMs } = await measureReading(server, connection, `/tracks/${ids[0]}/points`, effort.rounds)
    await (await signIn(server)).chooseTerrain(await terrainUnderWalk())
    const onTerrain: Timed[] = []
    await quiet()
    for (const id of ids) onTerrain.push(await finish(id))
    connection.close()
    await server.stop()
    const goal = { atMost: 50 }
    yield [
      { what: 'finishing, with statistics: the very first', value: first[0].tookMs, unit: 'ms' },
      { what: 'finishing, with statistics: another one', value: tookMs(first), unit: 'ms', goal, beside: spent(first) },
      { what: 'finishing, with statistics: again', value: tookMs(again), unit: 'ms', goal, beside: spent(again) },
      {
        what: 'finishing, with statistics: on known terrain',
        value: tookMs(onTerrain),
        unit: 'ms',
        goal: { atMost: 80 },
        beside: spent(onTerrain),
      },
    ]
    yield [
      { what: 'reading', value: tookMs(reading), unit: 'ms', beside: spent(reading) },
      {
        what: 'reading, of JSON.stringify of the same response',
        value: tookMs(reading) / stringifyMs,
        unit: 'x',
        goal: { atMost: 4, aim: 1 },
        beside: `JSON.stringify takes ${stringifyMs.toFixed(1)} ms`,
      },
    ]
  },
}

/** Returns elevations under the walk of `fillTrack` that agree with its altitudes, so that they count. */
async function terrainUnderWalk(): Promise<Buffer> {
  const points = walk(POINTS / 5, 7)
  const cellOf = (latitude: number, longitude: number) =>
    `${Math.round(latitude * 1000)} ${Math.round(longitude * 1000)}`
  const meters = new Map(points.map(({ latitude, longitude, altitude }) => [cellOf(latitude, longitude), altitude!]))
  const [latitudes, longitudes] = (['latitude', 'longitude'] as const).map((name) => points.map((point) => point[name]))
  const bounds: Bounds = [
    Math.min(...longitudes),
    Math.min(...latitudes),
    Math.max(...longitudes),
    Math.max(...latitudes),
  ]
  const metersAt = (latitude: number, longitude: number) => meters.get(cellOf(latitude, longitude)) ?? 120
  return await makeTerrain({ metersAt, bounds, zoom: TERRAIN_ZOOM })
}

function tookMs(timed: readonly Timed[]): number {
  return median(timed.map(({ tookMs }) => tookMs))
}

function spent(timed: readonly Timed[]): string {
  return `processor time of all threads ${median(timed.map(({ spentMs }) => spentMs)).toFixed(1)} ms`
}

async function measureReading(server: Target, connection: Connection, address: string, rounds: number) {
  const answer = await (await fetch(server.url + address, { headers: { 'X-API-Key': server.token } })).json()
  const request = plainRequest(server, 'GET', address)
  const reading: Timed[] = []
  const writing: number[] = []
  for (let round = 0; round < WARM_UP_ROUNDS + rounds; round++) {
    reading.push(await exchange(server, connection, request))
    const startMs = performance.now()
    JSON.stringify(answer)
    writing.push(performance.now() - startMs)
  }
  return { reading: reading.slice(WARM_UP_ROUNDS), stringifyMs: median(writing.slice(WARM_UP_ROUNDS)) }
}

async function exchange(server: Target, connection: Connection, request: Buffer): Promise<Timed> {
  let tookMs = 0
  const { totalUs } = await spentOn(server.pid, async () => {
    const startMs = performance.now()
    const { status } = await connection.exchange(request)
    if (status !== 200) throw new Error(`The response was ${status}`)
    tookMs = performance.now() - startMs
  })
  return { tookMs, spentMs: totalUs / 1000 }
}
