import { createFrameReader, type Frame, type FrameReader, type FrameTrack, type Tile } from './frames.ts'
import { letOthersWork } from './let-others-work.ts'

/** A part of the world, in degrees. */
export type Area = { west: number; south: number; east: number; north: number }

type Place = Pick<FrameTrack, 'latitude' | 'longitude'>

/** Events of more tracks are read by tile where a part of the map is shown. */
const MANY_TRACKS = 5000
/** Time after which all tracks are read again: of those outside of the tiles nothing else is heard. */
const ALL_MS = 120_000
/** Viewers do not all ask at the same moment. */
const SPREAD_MS = 30_000
/** Tracks that are put together without a break. */
const TRACKS_AT_ONCE = 1000
/** Most tiles that are worth their requests. A larger area gets the frames of the whole event. */
const MAX_TILES = 12

const ZOOMS = [15, 13, 11] as const
/** Zoom at which a tile would have a side of one unit of a position. */
const UNIT_ZOOM = 25
const UNITS_PER_DEGREE = 100_000

/**
 * Returns the tiles that cover an area and some places beside it, such as followed runners; undefined if the
 * area is too large for tiles.
 */
export function tilesOf(area: Area, places: readonly Place[] = []): Tile[] | undefined {
  for (const zoom of ZOOMS) {
    const from = tileAt(area.south, area.west, zoom)
    const to = tileAt(area.north, area.east, zoom)
    const [width, height] = [to.x - from.x + 1, to.y - from.y + 1]
    // An area across the date line has none.
    if (width < 1 || height < 1 || width * height > MAX_TILES) continue
    const tiles = new Map<string, Tile>()
    const add = (tile: Tile) => tiles.set(nameOfTile(tile), tile)
    for (let i = 0; i < width * height; i++) add({ zoom, x: from.x + (i % width), y: from.y + Math.floor(i / width) })
    for (const { latitude, longitude } of places) {
      if (latitude !== null && longitude !== null) add(tileAt(latitude, longitude, zoom))
    }
    return [...tiles.values()]
  }
  return undefined
}

/** Puts all known tracks together, by their ids, when somebody asks: a page follows those that changed. */
type Tracks = () => ReadonlyMap<string, FrameTrack>

type Read = (path: string) => Promise<ArrayBuffer | undefined>

/** Reads the tiles that are wanted, beside a reader of the frames of the whole event. */
export type TileReader = ReturnType<ReturnType<typeof readTiles>>

/**
 * Makes `watchFrames` read events of more than 5,000 tracks by tile: `watchFrames({ …, tiles: readTiles(wanted) })`. Of
 * tracks outside of the tiles there is news every two minutes.
 * @param wanted returns the tiles that are wanted now, such as those of `tilesOf`; undefined for the whole event. It is
 * asked before each frame
 */
export function readTiles(wanted: () => readonly Tile[] | undefined) {
  return (read: Read) => createTileReader(read, wanted)
}

function createTileReader(read: Read, wanted: () => readonly Tile[] | undefined) {
  const readers = new Map<string, { tile: Tile; reader: FrameReader }>()
  let all: Tracks = () => new Map()
  /** Number of tracks of the latest frame of the whole event. */
  let count = 0
  let allUntilMs = Number.NEGATIVE_INFINITY

  /** Returns the wanted tiles of an event that has many tracks; undefined if its own frames are to be read. */
  const tiles = () => (count > MANY_TRACKS ? wanted() : undefined)

  /** Yields the parts of new frames in tiles; undefined if it is time for the frames of the whole event. */
  function next(numbers: readonly number[]): AsyncGenerator<Frame, void> | undefined {
    const found = performance.now() < allUntilMs ? tiles() : undefined
    return found && frames(found, numbers)
  }

  /** Returns how to put together all known tracks as of a frame. @param whole the reader of the whole event */
  function tracksOf(frame: Frame, whole: FrameReader): Tracks {
    if (frame.tiles !== undefined) return all
    allUntilMs = performance.now() + ALL_MS + SPREAD_MS * Math.random()
    count = whole.count()
    all = whole.tracksLater()
    return all
  }

  /** Of a tile that is new itself, the newest frame has all tracks. */
  async function* frames(tilesNow: readonly Tile[], numbers: readonly number[]): AsyncGenerator<Frame, void> {
    const names = new Set(tilesNow.map(nameOfTile))
    for (const name of readers.keys()) if (!names.has(name)) readers.delete(name)
    const begun = tilesNow.filter((tile) => !readers.has(nameOfTile(tile)))
    const followed = [...readers.values()]
    for (const number of numbers) {
      const behind = followed.filter(({ reader }) => number > (reader.number() ?? number))
      const found = await Promise.all(behind.map(({ tile, reader }) => take(tile, reader, number)))
      yield* together(found, tilesNow)
      // After a gap, tracks may be gone, also those outside of the tiles.
      if (found.some((frame) => frame?.isWhole !== false)) allUntilMs = Number.NEGATIVE_INFINITY
    }
    const whole = begun.map((tile) => {
      return take(tile, createFrameReader(testOfTiles([tile])), numbers[numbers.length - 1], '?whole=true')
    })
    yield* together(await Promise.all(whole), tilesNow)
  }

  /** Reads the part of a frame in a tile. If it is gone or does not follow, the next turn begins anew with the tile. */
  async function take(tile: Tile, reader: FrameReader, number: number, query = ''): Promise<Frame | undefined> {
    const name = nameOfTile(tile)
    const bytes = await read(`${number}/tiles/${name}${query}`)
    const frame = bytes && (await reader.takeInSlices(new Uint8Array(bytes)))
    if (frame === undefined) readers.delete(name)
    else readers.set(name, { tile, reader })
    return frame
  }

  async function* together(
    found: readonly (Frame | undefined)[],
    tilesNow: readonly Tile[],
  ): AsyncGenerator<Frame, void> {
    const parts = found.filter((frame) => frame !== undefined)
    if (parts.length === 0) return
    // One that goes from tile to tile is in both.
    const changed = new Map<string, FrameTrack>()
    let taken = 0
    for (const track of parts.flatMap((frame) => frame.changed)) {
      if (++taken % TRACKS_AT_ONCE === 0) await letOthersWork()
      changed.set(track.id, track)
    }
    const before = all
    all = once(() => new Map([...before(), ...changed]))
    yield { ...parts[0], changed: [...changed.values()], tiles: tilesNow }
  }

  return { next, tracksOf, areWanted: () => tiles() !== undefined }
}

/** Returns a function that calls another one when it is first called, and forgets it then. */
function once<Result extends object>(make: () => Result): () => Result {
  let call: (() => Result) | undefined = make
  let result: Result | undefined
  return () => {
    result ??= call!()
    call = undefined
    return result
  }
}

/** Returns a text of its own for each tile, as in addresses. */
function nameOfTile({ zoom, x, y }: Tile): string {
  return `${zoom}/${x}/${y}`
}

/** Returns a function that tells which tracks are in one of some tiles. One without a position is in none. */
export function testOfTiles(tiles: readonly Tile[]): (track: Place) => boolean {
  const names = new Set(tiles.map(nameOfTile))
  const zooms = [...new Set(tiles.map(({ zoom }) => zoom))]
  return ({ latitude, longitude }) =>
    latitude !== null &&
    longitude !== null &&
    zooms.some((zoom) => names.has(nameOfTile(tileAt(latitude, longitude, zoom))))
}

function tileAt(latitude: number, longitude: number, zoom: Tile['zoom']): Tile {
  const side = 2 ** (UNIT_ZOOM - zoom)
  const row = (degrees: number, limit: number) => {
    const within = Math.min(limit, Math.max(-limit, degrees))
    return Math.floor(Math.round((within + limit) * UNITS_PER_DEGREE) / side)
  }
  return { zoom, x: row(longitude, 180), y: row(latitude, 90) }
}
