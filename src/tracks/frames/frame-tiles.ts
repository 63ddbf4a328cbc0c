import { LRUCache } from 'lru-cache'
import pLimit from 'p-limit'
import { ShortSlices } from '#platform/jobs/main-thread-time.ts'
import { decodeFrame, linksOf } from './decode-frame.ts'
import { type Frame, type FrameEntry, type FramePosition, isSameTrack, type KeyTracks, TrackColumns } from './frame.ts'
import { type FramesStore, nameOfSeries, type SeriesKey } from './store.ts'

/** Zooms of tiles. A tile is about as wide as that of a map with the same zoom: 0.16, 0.04 and 0.01 degrees. */
export const TILE_ZOOMS = [11, 13, 15] as const

/** A square of latitude and longitude, counted from 180° west and 90° south. */
export type Tile = { zoom: (typeof TILE_ZOOMS)[number]; x: number; y: number }

/** Zoom at which a tile would have a side of one unit of a position. */
const UNIT_ZOOM = 25
const WEST = -18_000_000
const SOUTH = -9_000_000
/** More than the tiles in a column. */
const MAX_Y = 2 ** 16

/** Number of states to hold: the last two frames of some series, and older frames for readers who begin with them. */
const MAX_STATES = 12
const TRACKS_AT_ONCE = 300

/** The tracks of a series as of a frame. */
type State = Pick<Frame, 'number' | 'previous' | 'asOfMs' | 'leftOut'> & {
  tracks: TrackColumns
  /** The tracks of its key frame, which the bytes of the next frames refer to. */
  key: { number: number; tracks: TrackColumns }
  /** Places of the tracks in each tile of a zoom, made when they are first needed. */
  tiles: Map<number, Promise<ReadonlyMap<number, readonly number[]>>>
}

/** A tile's part of a frame, and the tracks of the same tile in the frame before, which it refers to. */
type TileFrame = { frame: Frame; key: KeyTracks }

/**
 * Creates the reader of the parts of frames that show a tile. They are made from the stored frames alone, so that all
 * instances have the same bytes, and no part shows more than its frame.
 * @param heldMs time for which a frame may be known after its removal
 */
export function createFrameTiles(store: Pick<FramesStore, 'read'>, heldMs: number) {
  const states = new LRUCache<string, State, SeriesKey>({
    max: MAX_STATES,
    ttl: heldMs,
    fetchMethod: async (key, _stale, { context }) => await stateOf(context, Number(key.slice(key.lastIndexOf(' ')))),
  })
  // Each rests after a millisecond. Many at once would take all of the time between.
  const inTurn = pLimit(1)

  const find = (series: SeriesKey, number: number): Promise<State | undefined> =>
    states.fetch(`${nameOfSeries(series)} ${number}`, { context: series })

  /** Reads the state as of a frame: all tracks of a key frame, or the state before with the changes of the frame. */
  async function stateOf(series: SeriesKey, number: number): Promise<State | undefined> {
    const row = await store.read(series, number)
    if (row?.whole) return await applied(await decodeFrame(row.whole, []), TrackColumns.empty())
    if (!row?.changes) return undefined
    const { previous, key } = linksOf(row.changes)
    const before = previous === null ? undefined : await find(series, previous)
    if (before === undefined || before.key.number !== key) return undefined
    return await applied(await decodeFrame(row.changes, before.key.tracks), before.tracks.copy(), before.key)
  }

  return {
    /** Returns the time for which parts of a frame may be held. */
    leftMs: (series: SeriesKey, number: number): number => states.getRemainingTTL(`${nameOfSeries(series)} ${number}`),
    /** Returns the part of a frame in a tile; undefined if the frame or the frame before is gone. */
    read: (series: SeriesKey, number: number, part: TilePart): Promise<TileFrame | undefined> =>
      inTurn(async () => {
        const now = await find(series, number)
        if (now === undefined) return undefined
        const { previous } = now
        if (part.isWhole || previous === null) return await wholeTile(now, series, part)
        const before = await find(series, previous)
        return before && (await changedTile(before, now, series, part))
      }),
  }
}

type TilePart = { tile: Tile; isWhole: boolean; trackId: string | undefined }

async function applied({ entries, ...frame }: Frame, tracks: TrackColumns, key?: State['key']): Promise<State> {
  const { number, previous, asOfMs, leftOut } = frame
  const slices = new ShortSlices()
  for (const [i, { place, track }] of entries.entries()) {
    if (i % TRACKS_AT_ONCE === 0) await slices.next()
    tracks.set(place, track)
  }
  return { number, previous, asOfMs, leftOut, tracks, key: key ?? { number, tracks }, tiles: new Map() }
}

async function wholeTile(now: State, { delaySec }: SeriesKey, part: TilePart): Promise<TileFrame> {
  const { number, previous, asOfMs, leftOut } = now
  const entries = (await placesIn(now, part)).map((place) => ({ place, track: now.tracks.at(place)! }))
  const frame = { number, previous, key: number, isWhole: true, asOfMs, delaySec, leftOut, entries }
  return { frame, key: TrackColumns.empty() }
}

/** Returns the tracks of a tile that differ from the frame before, are new in it, or have left it. */
async function changedTile(before: State, now: State, { delaySec }: SeriesKey, part: TilePart): Promise<TileFrame> {
  const { number, asOfMs, leftOut } = now
  const known = new Set(await placesIn(before, part))
  const added = (await placesIn(now, part)).filter((place) => !known.has(place))
  const slices = new ShortSlices()
  const entries: FrameEntry[] = added.map((place) => ({ place, track: now.tracks.at(place)! }))
  let compared = 0
  for (const place of known) {
    if (compared++ % TRACKS_AT_ONCE === 0) await slices.next()
    const track = now.tracks.at(place)!
    if (!isSameTrack(before.tracks.at(place)!, track)) entries.push({ place, track })
  }
  entries.sort((a, b) => a.place - b.place)
  const previous = before.number
  const frame = { number, previous, key: previous, isWhole: false, asOfMs, delaySec, leftOut, entries }
  const has = (place: number) => known.has(place)
  const at = (place: number) => (has(place) ? before.tracks.at(place) : undefined)
  return { frame, key: { length: known.size, has, at } }
}

/** Returns the places of the tracks in a tile, which grow. */
async function placesIn({ tracks, tiles }: State, { tile, trackId }: TilePart): Promise<readonly number[]> {
  const { zoom, x, y } = tile
  const known = tiles.get(zoom) ?? placesByTile(tracks, zoom)
  tiles.set(zoom, known)
  const places = (await known).get(x * MAX_Y + y) ?? []
  return trackId === undefined ? places : places.filter((place) => tracks.idAt(place) === trackId)
}

async function placesByTile(tracks: TrackColumns, zoom: Tile['zoom']): Promise<Map<number, number[]>> {
  const slices = new ShortSlices()
  const places = new Map<number, number[]>()
  for (let place = 0; place < tracks.length; place++) {
    if (place % TRACKS_AT_ONCE === 0) await slices.next()
    const { position } = tracks.at(place)!
    if (position === null) continue
    const { x, y } = tileOf(position, zoom)
    const tile = x * MAX_Y + y
    const others = places.get(tile)
    if (others === undefined) places.set(tile, [place])
    else others.push(place)
  }
  return places
}

/** Returns the tile of a zoom that a position lies in. */
function tileOf({ latitude, longitude }: Pick<FramePosition, 'latitude' | 'longitude'>, zoom: Tile['zoom']): Tile {
  const side = 2 ** (UNIT_ZOOM - zoom)
  return { zoom, x: Math.floor((longitude - WEST) / side), y: Math.floor((latitude - SOUTH) / side) }
}
