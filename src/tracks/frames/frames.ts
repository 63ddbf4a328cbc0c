import type { Kysely } from 'kysely'
import { LRUCache } from 'lru-cache'
import { type ContentEncoding, encodeBytes } from '#platform/http/kept-text.ts'
import { WatchRegistry } from '#platform/jobs/poll-loop.ts'
import type { TracksTables } from '../model/tables.ts'
import { decodeFrame, keyNumberOf, withoutBattery } from './decode-frame.ts'
import { encodeFrame } from './encode-frame.ts'
import type { Frame, FrameTrack } from './frame.ts'
import { FrameSeries, type SeriesDeps } from './frame-series.ts'
import { frameJson } from './schemas.ts'
import { createFramesStore, type SeriesKey } from './store.ts'

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
  /** True for operators. */
  hasBattery: boolean
  format: 'binary' | 'json'
  encoding: ContentEncoding | undefined
}

/** The frames of all events. */
export type Frames = ReturnType<typeof createFrames>

/** Creates the makers and readers of frames on this instance. */
export function createFrames(deps: Omit<SeriesDeps, 'store'> & { db: Kysely<TracksTables> }) {
  const store = createFramesStore(deps.db)
  const watches = new WatchRegistry((key, onEnd) => new FrameSeries({ ...deps, store, series: seriesOf(key), onEnd }))
  const held = new LRUCache<string, Uint8Array, () => Promise<Uint8Array | undefined>>({
    maxSize: HELD_BYTES,
    ttl: HELD_MS,
    sizeCalculation: ({ length }, key) => length + key.length,
    fetchMethod: async (_key, _stale, { context }) => await context(),
  })
  const keys = new LRUCache<string, readonly FrameTrack[]>({ max: MAX_KEYS, ttl: HELD_MS })

  /** Returns the bytes of a stored frame; undefined if there is none of this form. */
  async function stored(series: SeriesKey, number: number, isWhole: boolean): Promise<Uint8Array | undefined> {
    return await held.fetch(`${keyOf(series)} ${number} ${isWhole}`, {
      context: async () => {
        const row = await store.read(series, number)
        return (isWhole ? row?.whole : (row?.changes ?? row?.whole)) ?? undefined
      },
    })
  }

  /** Returns a frame as it was made; undefined if it, or the key frame that it refers to, is gone. */
  async function decoded(series: SeriesKey, number: number, isWhole: boolean) {
    const bytes = await stored(series, number, isWhole)
    if (bytes === undefined) return undefined
    const keyNumber = keyNumberOf(bytes)
    const key = keyNumber === number ? [] : await keyTracks(series, keyNumber)
    return key && { frame: await decodeFrame(bytes, key), key }
  }

  async function keyTracks(series: SeriesKey, number: number): Promise<readonly FrameTrack[] | undefined> {
    const name = `${keyOf(series)} ${number}`
    const known = keys.get(name)
    if (known !== undefined) return known
    const bytes = await stored(series, number, true)
    if (bytes === undefined) return undefined
    const { entries } = await decodeFrame(bytes, [])
    const tracks = entries.map(({ track }) => track)
    keys.set(name, tracks)
    return tracks
  }

  /** Returns the bytes of a frame in one form, without a content encoding. */
  async function formed(series: SeriesKey, number: number, form: FrameForm): Promise<Uint8Array | undefined> {
    const { isWhole, trackId, hasBattery, format } = form
    if (trackId === undefined && format === 'binary') {
      const bytes = await stored(series, number, isWhole)
      return hasBattery || bytes === undefined ? bytes : withoutBattery(bytes)
    }
    const found = await decoded(series, number, isWhole)
    if (found === undefined) return undefined
    const { frame, key } = trackId === undefined ? found : ofTrack(found.frame, found.key, trackId)
    if (format === 'json') return Buffer.from(await frameJson(frame, hasBattery))
    const bytes = await encodeFrame(frame, key)
    return hasBattery ? bytes : withoutBattery(bytes)
  }

  return {
    store,
    /** Returns the series of an event, which runs while somebody wants it. */
    open: (series: SeriesKey): FrameSeries => watches.open(keyOf(series)),
    all: (): Iterable<FrameSeries> => watches.all(),
    /** True while this instance makes or follows the frames of any event. */
    get isWatched(): boolean {
      return !watches.all()[Symbol.iterator]().next().done
    },
    /** Returns the bytes of a frame; undefined if there is none. Each form is made and compressed once. */
    async read(series: SeriesKey, number: number, form: FrameForm): Promise<Uint8Array | undefined> {
      const { isWhole, trackId, hasBattery, format, encoding } = form
      const name = `${keyOf(series)} ${number} ${isWhole} ${trackId} ${hasBattery} ${format}`
      const bytes = () => held.fetch(name, { context: () => formed(series, number, form) })
      if (encoding === undefined) return await bytes()
      return await held.fetch(`${name} ${encoding}`, {
        context: async () => {
          const plain = await bytes()
          return plain && (await encodeBytes(plain, encoding))
        },
      })
    },
    async close(): Promise<void> {
      await Promise.all([...watches.all()].map((series) => series.close()))
    },
  }
}

/** Returns a frame with one track alone, and the key frame that it then refers to. */
function ofTrack(frame: Frame, key: readonly FrameTrack[], trackId: string) {
  const entries = frame.entries.filter(({ track }) => track.id === trackId)
  return {
    frame: { ...frame, leftOut: 0, entries: entries.map(({ track }) => ({ place: 0, track })) },
    key: key.filter(({ id }) => id === trackId),
  }
}

function keyOf({ eventId, delaySec }: SeriesKey): string {
  return `${delaySec} ${eventId}`
}

function seriesOf(key: string): SeriesKey {
  const at = key.indexOf(' ')
  return { eventId: key.slice(at + 1), delaySec: Number(key.slice(0, at)) }
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
      const known = before.get(keyOf(one))
      const sinceMs = known?.beat === beat ? known.sinceMs : nowMs
      seen.set(keyOf(one), { beat, sinceMs })
      if (nowMs - sinceMs >= KEPT_MS) await removeFrames(one)
    }
  }
}
