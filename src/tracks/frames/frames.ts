import type { Kysely } from 'kysely'
import { LRUCache } from 'lru-cache'
import { type ContentEncoding, encodeBytes } from '#platform/http/kept-text.ts'
import { WatchRegistry } from '#platform/jobs/poll-loop.ts'
import type { TracksTables } from '../model/tables.ts'
import { decodeFrame, linksOf, withoutBattery } from './decode-frame.ts'
import type { Frame, FrameTrack } from './frame.ts'
import { encodeFrame } from './frame-bytes.ts'
import { FrameSeries, type SeriesDeps } from './frame-series.ts'
import { createFrameTiles, type Tile } from './frame-tiles.ts'
import { frameJson } from './schemas.ts'
import { createFramesStore, type FramesStore, nameOfSeries, type SeriesKey, seriesNamed } from './store.ts'

/** Frames that an instance holds, and for how long: most are asked for as soon as they are there. */
const HELD_BYTES = 64 * 1_048_576
const HELD_MS = 10_000
/** Key frames whose tracks are held as they were read, to represent later frames of one track or as JSON. */
const MAX_KEYS = 8

/** The form in which a frame is read. */
export type FrameForm = {
  isWhole: boolean
  /** The one track that it shows; undefined for all. */
  trackId: string | undefined
  /** The part of the world that it shows; undefined for all of it. */
  tile?: Tile | undefined
  /** True for operators. */
  hasBattery: boolean
  format: 'binary' | 'json'
  encoding: ContentEncoding | undefined
}

/** Makes bytes, and says how long they may be held. */
type Held = { make: () => Promise<Uint8Array | undefined>; leftMs: () => number }

/** The frames of all events. */
export type Frames = ReturnType<typeof createFrames>

/** Creates the makers and readers of frames on this instance. */
export function createFrames(deps: Omit<SeriesDeps, 'store'> & { db: Kysely<TracksTables> }) {
  const store = createFramesStore(deps.db)
  const watches = new WatchRegistry(
    (name, onEnd) => new FrameSeries({ ...deps, store, series: seriesNamed(name), onEnd }),
  )
  const tiles = createFrameTiles(store, HELD_MS)
  const held = createHeldBytes()
  const { stored, decoded } = createStoredReader(store, held)

  /** Returns the bytes of a frame in one form, without a content encoding. */
  async function formed(series: SeriesKey, number: number, form: FrameForm): Promise<Uint8Array | undefined> {
    const { isWhole, trackId, tile, hasBattery, format } = form
    if (tile === undefined && trackId === undefined && format === 'binary') {
      const bytes = await stored(series, number, isWhole)
      return hasBattery || bytes === undefined ? bytes : withoutBattery(bytes)
    }
    const found =
      tile === undefined
        ? ofTrack(await decoded(series, number, isWhole), trackId)
        : await tiles.read(series, number, { tile, isWhole, trackId })
    if (found === undefined) return undefined
    const { frame, key } = found
    if (format === 'json') return Buffer.from(await frameJson(frame, hasBattery))
    const bytes = await encodeFrame(frame, key)
    return hasBattery ? bytes : withoutBattery(bytes)
  }

  return {
    store,
    /** Returns the series of an event, which runs while somebody wants it. */
    open: (series: SeriesKey): FrameSeries => watches.open(nameOfSeries(series)),
    all: (): Iterable<FrameSeries> => watches.all(),
    /** True while this instance makes or follows the frames of any event. */
    get isWatched(): boolean {
      return !watches.all()[Symbol.iterator]().next().done
    },
    /** Returns the bytes of a frame; undefined if there is none. Each form is made and compressed once. */
    async read(series: SeriesKey, number: number, form: FrameForm): Promise<Uint8Array | undefined> {
      const { isWhole, trackId, tile, hasBattery, format, encoding } = form
      const frame = `${nameOfSeries(series)} ${number}`
      const name = `${frame} ${isWhole} ${trackId} ${hasBattery} ${format} ${tile && Object.values(tile)}`
      const leftMs = () =>
        tile === undefined ? held.getRemainingTTL(`${frame} ${isWhole}`) : tiles.leftMs(series, number)
      const plain = () => held.fetch(name, { context: { make: () => formed(series, number, form), leftMs } })
      if (encoding === undefined) return await plain()
      const make = async () => {
        const bytes = await plain()
        return bytes && (await encodeBytes(bytes, encoding))
      }
      return await held.fetch(`${name} ${encoding}`, { context: { make, leftMs: () => held.getRemainingTTL(name) } })
    },
    async close(): Promise<void> {
      await Promise.all([...watches.all()].map((series) => series.close()))
    },
  }
}

/** Creates the memory of the bytes of frames in all their forms. */
function createHeldBytes() {
  return new LRUCache<string, Uint8Array, Held>({
    maxSize: HELD_BYTES,
    ttl: HELD_MS,
    sizeCalculation: ({ length }, key) => length + key.length,
    fetchMethod: async (_key, _stale, { options, context }) => {
      const bytes = await context.make()
      // A form of a frame is not held for longer than its source.
      options.ttl = wholeMs(context.leftMs())
      return bytes
    },
  })
}

/** A time of 0 would be without an end. */
const wholeMs = (ms: number) => Math.max(1, Math.floor(ms))

/** Creates the reader of frames as they are stored. */
function createStoredReader(store: FramesStore, held: ReturnType<typeof createHeldBytes>) {
  const keys = new LRUCache<string, readonly FrameTrack[]>({ max: MAX_KEYS, ttl: HELD_MS })

  /** Returns the bytes of a stored frame; undefined if there is none of this form. */
  async function stored(series: SeriesKey, number: number, isWhole: boolean): Promise<Uint8Array | undefined> {
    const make = async () => {
      const row = await store.read(series, number)
      return (isWhole ? row?.whole : (row?.changes ?? row?.whole)) ?? undefined
    }
    return await held.fetch(`${nameOfSeries(series)} ${number} ${isWhole}`, {
      context: { make, leftMs: () => HELD_MS },
    })
  }

  /** Returns a frame as it was made; undefined if it, or the key frame that it refers to, is gone. */
  async function decoded(series: SeriesKey, number: number, isWhole: boolean) {
    const bytes = await stored(series, number, isWhole)
    if (bytes === undefined) return undefined
    const links = linksOf(bytes)
    const key = links.key === number ? [] : await keyTracks(series, links.key)
    return key && { frame: await decodeFrame(bytes, key), key }
  }

  async function keyTracks(series: SeriesKey, number: number): Promise<readonly FrameTrack[] | undefined> {
    const name = `${nameOfSeries(series)} ${number}`
    const known = keys.get(name)
    if (known !== undefined) return known
    const bytes = await stored(series, number, true)
    if (bytes === undefined) return undefined
    const { entries } = await decodeFrame(bytes, [])
    const tracks = entries.map(({ track }) => track)
    keys.set(name, tracks, { ttl: wholeMs(held.getRemainingTTL(`${name} true`)) })
    return tracks
  }

  return { stored, decoded }
}

type Decoded = { frame: Frame; key: readonly FrameTrack[] } | undefined

/** Returns a frame with one track alone, if one is named, and the key frame that it then refers to. */
function ofTrack(decoded: Decoded, trackId: string | undefined): Decoded {
  if (decoded === undefined || trackId === undefined) return decoded
  const { frame, key } = decoded
  const entries = frame.entries.filter(({ track }) => track.id === trackId)
  return {
    frame: { ...frame, leftOut: 0, entries: entries.map(({ track }) => ({ place: 0, track })) },
    key: key.filter(({ id }) => id === trackId),
  }
}

/** Time after which the frames of a series that nobody makes any more are removed. */
const KEPT_MS = 120_000

/**
 * Creates the job that removes the frames of series that nobody makes. It tells that by their signs of life and not by
 * times, because clocks of instances differ.
 */
export function createFrameCleaning({ listSeries, removeFrames }: Frames['store']) {
  let seen = new Map<string, { beat: number; sinceMs: number }>()
  return async (nowMs = performance.now()): Promise<void> => {
    const series = await listSeries()
    const before = seen
    seen = new Map()
    for (const { beat, ...one } of series) {
      const known = before.get(nameOfSeries(one))
      const sinceMs = known?.beat === beat ? known.sinceMs : nowMs
      seen.set(nameOfSeries(one), { beat, sinceMs })
      if (nowMs - sinceMs >= KEPT_MS) await removeFrames(one)
    }
  }
}
