import { releaseBytes } from '#platform/basics/memory.ts'
import type { TilePlace } from '#platform/basics/terrain.ts'
import { WHOLE_TRACK } from '../model/track-state.ts'
import { decodeChunk, encodeChunk, MAX_CHUNK_POINTS, mergeChunks } from '../points/chunks/chunk-codec.ts'
import { scanBody } from '../points/json/scan-body.ts'
import { writePointsJson } from '../points/json/write-points.ts'
import { emptyColumns, type PointColumns, sliceColumns, sortPoints } from '../points/point-columns.ts'
import { computeTrackFigures, readTilesUnder } from './points-tasks.ts'
import { latitudeAt, type TrackTerrain } from './terrain-heights.ts'

const RUN = { activityType: 'run', maxAccuracyMeters: 50 } as const
const RIDE = { activityType: 'bike', maxAccuracyMeters: 50 } as const
const SEMICIRCLES_PER_DEGREE = 2 ** 31 / 180
const TERRAIN_ZOOMS = { minZoom: 13, maxZoom: 13 }

/** Enough for the engine to compile the code of tasks; more make no difference. */
const ROUNDS = 4

/**
 * Computes synthetic tracks a few times, so that the first track to finish need not wait for compilation: of a phone,
 * one of which all points count, and one with more; and the same of a device that records no speeds. Points that are
 * left out change the input of all later steps, and so do heights of the terrain.
 */
export function warmUp(): void {
  const chunks = inTwoChunks(eventfulWalk(MAX_CHUNK_POINTS))
  const recorded = inTwoChunks(asRecorded(eventfulWalk(MAX_CHUNK_POINTS)))
  for (let round = 0; round < ROUNDS; round++) {
    const terrain = terrainUnderWalk(readTilesUnder({ chunks, ...TERRAIN_ZOOMS }))
    for (const some of [chunks.slice(0, 1), chunks]) {
      for (const under of [undefined, terrain]) {
        computeTrackFigures({ chunks: some, pauses: [], settings: RUN, shown: WHOLE_TRACK, terrain: under })
      }
    }
    for (const some of [recorded.slice(0, 1), recorded]) {
      computeTrackFigures({ chunks: some, pauses: [], settings: RIDE, shown: WHOLE_TRACK })
    }
  }
  mergeChunks(chunks)
}

function inTwoChunks(points: PointColumns): Uint8Array[] {
  const middle = points.count >> 1
  return [sliceColumns(points, 0, middle), sliceColumns(points, middle, points.count)].map((part) =>
    encodeChunk(part, 'fast'),
  )
}

/**
 * Makes a walk one that a watch records: no speeds, positions in fractions of 2, some times twice, and a barometer
 * whose altitude leaps and stays.
 */
export function asRecorded(points: PointColumns): PointColumns {
  let errorMeters = 0
  for (let i = 0; i < points.count; i++) {
    errorMeters = 0.98 * errorMeters + ((i * 7919) % 101) / 250 - 0.2
    if (i % EVENTFUL_POINTS === 7) {
      errorMeters += 60
      points.timeMs[i] = points.timeMs[i - 1]
    }
    points.altitude[i] = rounded(heightAt(points.latitude[i]) + errorMeters, 5)
    points.latitude[i] = rounded(points.latitude[i], SEMICIRCLES_PER_DEGREE)
    points.longitude[i] = rounded(points.longitude[i], SEMICIRCLES_PER_DEGREE)
    points.speedMps[i] = points.accuracy[i] = points.heading[i] = points.battery[i] = Number.NaN
  }
  return points
}

/** In the second half of a walk, something happens every so many points. */
const EVENTFUL_POINTS = 400

/**
 * Returns a walk with all that statistics have a rule for: code that the engine compiled without having seen a case is
 * thrown away when the case comes. Altitudes have an error that lasts, so that climbs are estimated, which takes most
 * of the time; a point every 2 s makes the track long enough for its parameters to be fitted to samples.
 */
export function eventfulWalk(count: number): PointColumns {
  const points = syntheticWalk(count)
  let breaksMs = 0
  let degreesAway = 0
  for (let i = 0; i < count; i++) {
    const isEventful = i >= count / 2 && i % EVENTFUL_POINTS === 0
    const happening = isEventful ? (i / EVENTFUL_POINTS) % 5 : undefined
    if (happening === 0) {
      breaksMs += 3_600_000
      degreesAway += 0.003
    }
    if (happening === 1) degreesAway += 1
    points.timeMs[i] = 2000 * i + breaksMs
    points.latitude[i] = rounded(points.latitude[i] + degreesAway + (happening === 2 ? 0.01 : 0), 1e7)
    const errorMeters = 3 * Math.sin(i / 9) * Math.cos(i / 43)
    points.altitude[i] = rounded(points.altitude[i] + errorMeters + (happening === 3 ? 500 : 0), 10)
    if (happening === 4) points.altitude[i] = points.speedMps[i] = Number.NaN
  }
  return points
}

/** The height of the hill of a walk at a latitude, in metres. */
const heightAt = (latitude: number) => 1000 + 8000 * (latitude - 45)

/** The slope is even, so a few pixels have all of it. */
const TILE_PIXELS = 16

/** Returns the terrain of walks in tiles, with a stated error so small that it counts. */
export function terrainUnderWalk(places: readonly TilePlace[]): TrackTerrain {
  const tiles = places.map(({ zoom, x, y }) => {
    const colours = new Uint8Array(new SharedArrayBuffer(3 * TILE_PIXELS ** 2))
    for (let pixel = 0; pixel < TILE_PIXELS ** 2; pixel++) {
      const south = (y + (Math.floor(pixel / TILE_PIXELS) + 0.5) / TILE_PIXELS) / 2 ** zoom
      const code = Math.round((heightAt(latitudeAt(south)) + 32_768) * 256)
      colours.set([code >> 16, code >> 8, code], 3 * pixel)
    }
    return { x, y, tile: { widthPixels: TILE_PIXELS, colours } }
  })
  return { encoding: 'terrarium', errorMeters: 1, zoom: TERRAIN_ZOOMS.maxZoom, tiles }
}

/** Points of a synthetic request; reading them takes a few milliseconds in cold code. */
const REQUEST_POINTS = 1000
const REQUESTS = 30

/**
 * Reads, encodes and writes synthetic requests, so that phones do not meet code that the engine has not compiled yet.
 * All take a tenth of a second, so that the caller may do something else after each. The memory of each is given back
 * at once: left to the collector, it makes an idle process 8 MiB larger for good.
 */
export function* warmUpRequests(): Generator<void, void> {
  const points = syntheticWalk(REQUEST_POINTS)
  for (let request = 0; request < REQUESTS; request++) {
    const listed = writePointsJson(points, 0, points.count, true)
    const body = Buffer.concat([Buffer.from('{"points":['), listed, Buffer.from(']}')])
    const read = scanBody(body, REQUEST_POINTS)!.points
    const decoded = decodeChunk(encodeChunk(sortPoints(read), 'fast'))
    for (const bytes of [listed, body, memoryOf(read), memoryOf(decoded)]) releaseBytes(bytes)
    yield
  }
}

/** Returns the memory that all columns share. */
function memoryOf({ timeMs }: PointColumns): Uint8Array {
  return new Uint8Array(timeMs.buffer)
}

/** Returns a walk around a hill, a point a second, with a receiver's jitter from a fixed sequence. */
function syntheticWalk(count: number): PointColumns {
  const points = emptyColumns(count)
  for (let i = 0; i < count; i++) {
    const jitter = ((i * 7919) % 101) / 101 - 0.5
    points.timeMs[i] = i * 1000
    points.latitude[i] = rounded(45 + Math.sin(i / 900) / 100 + jitter / 1e5, 1e7)
    points.longitude[i] = rounded(6 + Math.cos(i / 900) / 100 + jitter / 1e5, 1e7)
    points.altitude[i] = rounded(heightAt(points.latitude[i]) + 2 * jitter, 10)
    points.speedMps[i] = rounded(2.6 + jitter, 100)
    points.accuracy[i] = rounded(4 + jitter, 10)
    points.heading[i] = Math.abs(Math.round(i * 0.7 + jitter)) % 360
    points.battery[i] = rounded(1 - i / 1e5, 100)
    points.origin[i] = 1
  }
  return points
}

/** Rounds to a share of one, as devices do. */
function rounded(value: number, sharesOfOne: number): number {
  return Math.round(value * sharesOfOne) / sharesOfOne
}
