import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { type Area, testOfTiles, tilesOf } from '../../../clients/typescript/src/live/frame-tiles.ts'
import { createFrameReader, type Tile } from '../../../clients/typescript/src/live/frames.ts'
import { twoFrames } from '../../../test/support/make-frames.ts'
import { decodeFrame, withoutBattery } from './decode-frame.ts'
import {
  type Frame,
  type FrameTrack,
  headingDegrees,
  headingStep,
  speedMps,
  speedStep,
  UNITS_PER_DEGREE,
} from './frame.ts'
import { encodeFrame } from './frame-bytes.ts'

const tracksOf = ({ entries }: Frame) => entries.map(({ track }) => track)

/** Represents a track as the client does. */
function asRead({ id, state, position, speed, rank, details, battery }: FrameTrack) {
  return {
    id,
    state,
    timeMs: position === null ? null : position.timeSec * 1000,
    latitude: position === null ? null : position.latitude / UNITS_PER_DEGREE,
    longitude: position === null ? null : position.longitude / UNITS_PER_DEGREE,
    heading: position === null ? null : headingDegrees(position.heading),
    speedMps: speedMps(speed),
    rank: rank || null,
    details,
    battery: battery === 0 ? null : battery - 1,
  }
}

describe('a frame', () => {
  test('is read as it was written, by the server and by the client', async () => {
    await fc.assert(
      fc.asyncProperty(twoFrames, async ({ whole, next }) => {
        const key = tracksOf(whole)
        const [wholeBytes, nextBytes] = [await encodeFrame(whole, []), await encodeFrame(next, key)]

        assert.deepEqual(await decodeFrame(wholeBytes, []), whole)
        assert.deepEqual(await decodeFrame(nextBytes, key), next)
        const reader = createFrameReader()
        assert.deepEqual(reader.take(wholeBytes)!.changed, key.map(asRead))
        assert.deepEqual(reader.take(nextBytes)!.changed, tracksOf(next).map(asRead))
        assert.equal(reader.tracks().size, Math.max(key.length, ...next.entries.map(({ place }) => place + 1)))
      }),
    )
  })

  test('has no charge of phones for spectators, and is otherwise the same', async () => {
    await fc.assert(
      fc.asyncProperty(twoFrames, async ({ whole, next }) => {
        const shown = await decodeFrame(withoutBattery(await encodeFrame(next, tracksOf(whole))), tracksOf(whole))

        const entries = next.entries.map(({ place, track }) => ({ place, track: { ...track, battery: 0 } }))
        assert.deepEqual(shown, { ...next, entries })
      }),
    )
  })

  test('that is cut off or changed is refused, or read as another', async () => {
    await fc.assert(
      fc.asyncProperty(twoFrames, fc.nat(), fc.integer({ min: 1, max: 255 }), async ({ whole }, at, change) => {
        const bytes = await encodeFrame(whole, [])
        const changed = bytes.map((value, i) => (i === at % bytes.length ? value ^ change : value))

        for (const wrong of [bytes.slice(0, at % bytes.length), changed]) {
          for (const read of [() => decodeFrame(wrong, []), () => createFrameReader().take(wrong)]) {
            try {
              await read()
            } catch (error) {
              assert.ok(error instanceof RangeError, String(error))
            }
          }
        }
      }),
    )
  })

  test('takes about ten bytes for a track that has moved', async () => {
    const tracks = Array.from({ length: 2000 }, (_, i): FrameTrack => {
      const place = { latitude: 4_600_000 + ((i * 7919) % 5000), longitude: 650_000 + ((i * 104_729) % 5000) }
      const id = `${String(i).padStart(8, '0')}-0000-4000-8000-000000000000`
      const position = { ...place, timeSec: 1_700_000_000, heading: 1 + (i % 240) }
      return { id, state: 'running', position, speed: 60, rank: i + 1, details: i, battery: 5 }
    })
    const base = { previous: 1, key: 1, asOfMs: 1_700_000_003_000, delaySec: 0, leftOut: 0 }
    const moved = tracks.flatMap((track, place) => {
      if (place % 4 > 0) return []
      const { latitude, longitude } = track.position!
      const position = {
        ...track.position!,
        timeSec: 1_700_000_002,
        latitude: latitude + 60,
        longitude: longitude - 75,
      }
      return [{ place, track: { ...track, position } }]
    })

    const bytes = await encodeFrame({ ...base, number: 2, isWhole: false, entries: moved }, tracks)

    assert.equal(moved.length, 500)
    assert.ok(bytes.length / moved.length < 10, `${bytes.length / moved.length} bytes`)
  })

  test('of many tracks is read in short slices by the client, with the same result, and by the server', async () => {
    const entries = Array.from({ length: 20_000 }, (_, place) => {
      const id = `${String(place).padStart(8, '0')}-0000-4000-8000-000000000000`
      const position = { timeSec: 1_700_000_000, latitude: 4_600_000 + place, longitude: 650_000, heading: 1 }
      const track: FrameTrack = { id, state: 'running', position, speed: 60, rank: 1, details: place, battery: 5 }
      return { place, track }
    })
    const base = {
      number: 1,
      previous: null,
      key: 1,
      isWhole: true,
      asOfMs: 1_700_000_003_000,
      delaySec: 0,
      leftOut: 0,
    }
    const bytes = await encodeFrame({ ...base, entries }, [])
    const work = { bytes: 0, tracks: 0 }
    const slices: (typeof work)[] = []
    const counting = new Proxy(bytes, {
      get(target, name) {
        work.bytes++
        return Reflect.get(target, name)
      },
    })
    const reader = createFrameReader(() => {
      work.tracks++
      return true
    })

    let turns = 0
    const count = () => {
      turns++
      counted = setImmediate(count)
    }
    let counted = setImmediate(count)
    await decodeFrame(bytes, [])
    clearImmediate(counted)
    assert.ok(turns > 150, `the server reads it in ${turns} turns`)
    const frame = await reader.takeInSlices(counting, async () => {
      slices.push({ ...work })
      work.bytes = work.tracks = 0
    })

    assert.deepEqual(frame, createFrameReader().take(bytes))
    assert.equal(reader.count(), 20_000)
    // Each byte is asked for twice, for itself and for the end of the frame.
    assert.ok(Math.max(...slices.map((slice) => slice.bytes)) < 20_000, 'no slice reads many bytes')
    assert.ok(Math.max(...slices.map((slice) => slice.tracks)) < 600, 'none makes more than some hundred tracks')
  })

  test('of another key frame is refused', async () => {
    const whole: Frame = {
      number: 1,
      previous: null,
      key: 1,
      isWhole: true,
      asOfMs: 0,
      delaySec: 0,
      leftOut: 0,
      entries: [],
    }
    const bytes = await encodeFrame({ ...whole, number: 2, previous: 1, isWhole: false }, [])

    await assert.rejects(decodeFrame(bytes, [{} as FrameTrack]), RangeError)
    assert.equal(createFrameReader().take(bytes), undefined)
  })
})

type Vectors = {
  name: string
  /** The tile whose frames they are; absent for those of the whole event. */
  tile?: Tile
  frames: { hex: string; result: object | 'missing' | 'refused'; tracksAfter: number }[]
}[]

describe('the frames of clients/frames/vectors.json, which every client reads,', () => {
  const file = new URL('../../../clients/frames/vectors.json', import.meta.url)
  for (const { name, tile, frames } of JSON.parse(readFileSync(file, 'utf8')) as Vectors) {
    test(`have the values that it names: ${name}`, () => {
      const reader = createFrameReader(tile && testOfTiles([tile]))
      for (const { hex, result, tracksAfter } of frames) {
        const take = () => reader.take(Buffer.from(hex, 'hex'))

        if (result === 'refused') assert.throws(take, RangeError, hex)
        else assert.partialDeepStrictEqual(take() ?? 'missing', result, hex)
        assert.equal(reader.tracks().size, tracksAfter, hex)
      }
    })
  }
})

test('a heading is stored in steps of one and a half degrees', () => {
  for (const degrees of [0, 1.5, 90, 270, 358.5]) assert.equal(headingDegrees(headingStep(degrees)), degrees)
  assert.equal(headingDegrees(headingStep(360)), 0)
  assert.equal(headingDegrees(headingStep(Number.NaN)), null)
})

test('a speed is stored to a fortieth of a meter per second on foot, and to a tenth beyond', () => {
  for (let step = 1; step <= 255; step++) assert.equal(speedStep(speedMps(step)!), step)
  for (const [speed, stored] of [
    [0, 0],
    [3.08, 3.1],
    [6.4, 6.4],
    [11.09, 11],
    [31.6, 31.6],
    [99, 31.6],
  ])
    assert.equal(speedMps(speedStep(speed)), stored)
  assert.equal(speedMps(speedStep(Number.NaN)), null)
})

type Place = NonNullable<Parameters<typeof tilesOf>[1]>[number]

type TileCases = {
  places: { latitude: number; longitude: number; tiles: string[] }[]
  areas: { name: string; area: Area; places: Place[]; tiles: string[] | null }[]
}

describe('the tiles of clients/frames/tiles.json, which every client counts,', () => {
  const file = new URL('../../../clients/frames/tiles.json', import.meta.url)
  const { places, areas } = JSON.parse(readFileSync(file, 'utf8')) as TileCases

  test('have the places that it names', () => {
    for (const { tiles, ...place } of places) {
      const [at15, at13, at11] = tiles.map((name) => name.split('/').map(Number) as [Tile['zoom'], number, number])
      for (const [zoom, x, y] of [at15, at13, at11]) {
        assert.ok(testOfTiles([{ zoom, x, y }])(place), `${place.latitude} ${place.longitude} ${zoom}`)
        assert.ok(!testOfTiles([{ zoom, x: x + 1, y }])(place), 'and no other one')
      }
    }
  })

  for (const { name, area, places: beside, tiles } of areas) {
    test(`cover areas: ${name}`, () => {
      const found = tilesOf(area, beside)?.map(({ zoom, x, y }) => `${zoom}/${x}/${y}`)
      assert.deepEqual(found?.sort() ?? null, tiles)
    })
  }
})
