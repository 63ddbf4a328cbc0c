import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { testOfTiles, tilesOf } from '../../../clients/typescript/src/live/frame-tiles.ts'
import { createFrameReader, type FrameTrack as ReadTrack } from '../../../clients/typescript/src/live/frames.ts'
import { type Frame, type FrameEntry, type FrameTrack, isSameTrack } from './frame.ts'
import { encodeFrame } from './frame-bytes.ts'
import { createFrameTiles, TILE_ZOOMS, type Tile } from './frame-tiles.ts'
import type { SeriesKey } from './store.ts'

const SERIES = { eventId: 'event', delaySec: 0 }
/** A corner of tiles of all zooms, so that small steps lead from tile to tile. */
const CORNER = { latitude: 4 * 16384, longitude: 9 * 16384 }

/** Counts tiles as docs/live-frames.md says. */
function tileOf({ latitude, longitude }: { latitude: number; longitude: number }, zoom: Tile['zoom']): Tile {
  const side = { 11: 16_384, 13: 4096, 15: 1024 }[zoom]
  return { zoom, x: Math.floor((longitude + 18_000_000) / side), y: Math.floor((latitude + 9_000_000) / side) }
}

type Rows = Map<number, { changes: Uint8Array | null; whole: Uint8Array | null }>

const trackAt = (place: number, step: readonly [number, number] | null): FrameTrack => ({
  id: `00000000-0000-4000-8000-${String(place).padStart(12, '0')}`,
  state: 'running',
  position: step && {
    timeSec: 1000 + Math.abs(step[0]),
    latitude: CORNER.latitude + step[0],
    longitude: CORNER.longitude + step[1],
    heading: 0,
  },
  speed: 0,
  rank: 0,
  details: place,
  battery: 0,
})

/** Makes the stored frames of states that follow each other, with a key frame now and then. */
async function storedFrames(states: readonly (readonly FrameTrack[])[]): Promise<Rows> {
  const rows: Rows = new Map()
  let key: { number: number; tracks: readonly FrameTrack[] } = { number: 0, tracks: [] }
  for (const [i, tracks] of states.entries()) {
    const number = 100 + i
    const base = { number, previous: i === 0 ? null : number - 1, asOfMs: number * 2000, delaySec: 0, leftOut: 0 }
    const entries = tracks.map((track, place) => ({ place, track }))
    const isOther = ({ place, track }: FrameEntry) => !isSameTrack(states[i - 1][place] ?? { ...track, rank: 1 }, track)
    const next: Frame = { ...base, key: key.number, isWhole: false, entries: i === 0 ? [] : entries.filter(isOther) }
    const changes = i === 0 ? null : await encodeFrame(next, key.tracks)
    const isWhole = i % 3 === 0
    const whole = isWhole ? await encodeFrame({ ...base, key: number, isWhole, entries }, []) : null
    if (isWhole) key = { number, tracks }
    rows.set(number, { changes, whole })
  }
  return rows
}

const tilesFrom = (rows: Rows) => {
  const tiles = createFrameTiles({ read: async (_: SeriesKey, number: number) => rows.get(number) }, 10_000)
  return async (number: number, tile: Tile, isWhole: boolean): Promise<Uint8Array | undefined> => {
    const found = await tiles.read(SERIES, number, { tile, isWhole, trackId: undefined })
    return found && (await encodeFrame(found.frame, found.key))
  }
}

const step = fc.option(fc.tuple(fc.integer({ min: -1500, max: 1500 }), fc.integer({ min: -1500, max: 1500 })))
/** The steps of up to eight tracks, of which some begin later. */
const states = fc
  .array(fc.array(step, { minLength: 8, maxLength: 8 }), { minLength: 2, maxLength: 9 })
  .map((all) =>
    all.map((steps, i) =>
      steps.slice(0, 2 + i).map((each, place) => trackAt(place, i % 2 === 1 && place === 0 ? all[i - 1][0] : each)),
    ),
  )

const idsIn = (tracks: readonly FrameTrack[], tile: Tile) =>
  tracks
    .filter(({ position }) => position !== null && isTile(tileOf(position, tile.zoom), tile))
    .map(({ id, position }) => `${id} ${position!.latitude} ${position!.longitude}`)
const isTile = (a: Tile, b: Tile) => a.x === b.x && a.y === b.y
const shown = (tracks: Iterable<ReadTrack>) =>
  [...tracks].map((t) => `${t.id} ${Math.round(t.latitude! * 1e5)} ${Math.round(t.longitude! * 1e5)}`)

describe('the tiles of frames', () => {
  test('show who is in them, to whoever begins with any frame, with the same bytes from every instance', async () => {
    await fc.assert(
      fc.asyncProperty(states, fc.nat(8), fc.constantFrom(...TILE_ZOOMS), async (all, begin, zoom) => {
        const rows = await storedFrames(all)
        const [one, other] = [tilesFrom(rows), tilesFrom(rows)]
        const corner = tileOf(CORNER, zoom)
        for (const tile of [corner, { ...corner, x: corner.x - 1 }, { ...corner, y: corner.y - 1 }]) {
          const first = begin % all.length
          const reader = createFrameReader(testOfTiles([tile]))
          for (const [i, tracks] of [...all.entries()].slice(first)) {
            const bytes = (await one(100 + i, tile, i === first))!
            assert.ok(reader.take(bytes), 'it follows the frame before')
            assert.deepEqual(shown(reader.tracks().values()).sort(), idsIn(tracks, tile).sort())
            // Another instance is asked for the last frame alone.
            if (i === all.length - 1) assert.deepEqual(await other(100 + i, tile, i === first), bytes)
          }
        }
      }),
      { numRuns: 60 },
    )
  })

  test('of a frame that is gone, or whose frame before is, are gone', async () => {
    const rows = await storedFrames([0, 1, 2, 3].map((i) => [trackAt(0, [i, i])]))
    const tile = tileOf(CORNER, 13)
    rows.delete(100)

    assert.equal(await tilesFrom(rows)(100, tile, true), undefined)
    assert.equal(await tilesFrom(rows)(101, tile, false), undefined)
    assert.equal(await tilesFrom(rows)(103, tile, false), undefined)
    assert.ok((await tilesFrom(rows)(103, tile, true)) !== undefined)
  })

  test('without anybody have a few bytes, and those of others are a part of the frame', async () => {
    const at = (i: number) => Array.from({ length: 6000 }, (_, place) => trackAt(place, [i, place * 10 - 30_000]))
    const rows = await storedFrames([at(0), at(1)])
    const read = tilesFrom(rows)

    const empty = (await read(101, { zoom: 15, x: 0, y: 0 }, true))!
    const next = (await read(101, tileOf(CORNER, 15), false))!

    assert.ok(empty.length < 40, `${empty.length} bytes`)
    assert.ok(next.length < rows.get(101)!.changes!.length / 40, `${next.length} bytes`)
  })

  test('that cover a part of a map are few, with those of places beside it, and none for a large part', () => {
    const near = { west: 6.861, south: 45.915, east: 6.872, north: 45.924 }

    const tiles = tilesOf(near, [
      { latitude: 46.5, longitude: 7 },
      { latitude: null, longitude: null },
    ])!

    const inTiles = testOfTiles(tiles)
    for (const latitude of [near.south, near.north, 46.5]) {
      for (const longitude of latitude === 46.5 ? [7] : [near.west, near.east]) {
        assert.ok(inTiles({ latitude, longitude }), `${latitude} ${longitude}`)
        const position = { latitude: Math.round(latitude * 1e5), longitude: Math.round(longitude * 1e5) }
        assert.ok(
          tiles.some((tile) => isTile(tile, tileOf(position, tile.zoom))),
          'the server counts alike',
        )
      }
    }
    assert.deepEqual([...new Set(tiles.map(({ zoom }) => zoom))], [15])
    assert.ok(tiles.length <= 13)
    assert.equal(inTiles({ latitude: 45.7, longitude: 6.86 }), false)
    assert.equal(tilesOf({ west: 6.7, south: 45.8, east: 7, north: 46 })![0].zoom, 11)
    assert.equal(tilesOf({ west: -180, south: -90, east: 180, north: 90 }), undefined)
    assert.equal(tilesOf({ west: 179, south: 0, east: -179, north: 1 }), undefined)
  })
})
