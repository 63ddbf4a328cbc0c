import type { FrameTrack } from './frames.ts'
import type { LiveEvent, LiveTrack } from './live-events.ts'
import { type FrameEvent, readFromShare, type WatchFramesOptions } from './watch-frames.ts'

type Source = Pick<WatchFramesOptions, 'signal' | 'fetch'> & { baseUrl: string; shareToken: string }

/** A track that has been told. */
type Told = {
  /** Its entry of the list of tracks, as it was read last. */
  facts: LiveTrack
  /** The frame's word on the track when its entry was read. */
  readWith: FrameTrack
  readAtMs: number
  /** Time and state of the latest event about it. */
  timeMs: number | null
  state: FrameTrack['state']
}

const TRACKS_PER_PAGE = 500
/** More than the tracks that frames have. */
const MAX_PAGES = 24
/** Most tracks that one request names. */
const MAX_IDS = 100
/** Interval at which the figures of tracks that have moved are read again. */
const FIGURES_MS = 30_000
/** Time after which a track that the list did not have is asked for again. */
const MISSING_MS = 10_000
/** The way of a track that was not heard of for longer is unknown. */
const GAP_MS = 120_000

/**
 * Creates the memory of what a reader has been told, which puts frames into events. Facts that frames lack come from
 * the list of tracks: all at the beginning, and then of tracks whose details or state have changed. A track is told
 * once its facts are known.
 */
export function createToldTracks(source: Source) {
  const told = new Map<string, Told>()
  const missingSinceMs = new Map<string, number>()
  let figuresAtMs = now()

  async function* take({ frame, tracks }: Extract<FrameEvent, { name: 'frame' }>): AsyncGenerator<LiveEvent, void> {
    for (const id of [...told.keys()]) {
      if (tracks.has(id)) continue
      told.delete(id)
      yield { name: 'track-deleted', data: { id } }
    }
    const before = new Map([...told].map(([id, { facts }]) => [id, facts]))
    try {
      await readFacts(tracks)
    } catch {
      // The list does not answer. The next frame tries again.
    }
    for (const [id, one] of told) yield* newsOf(one, tracks.get(id)!, before.get(id), frame.isWhole)
  }

  async function readFacts(tracks: ReadonlyMap<string, FrameTrack>): Promise<void> {
    const due = dueIds(tracks)
    if (due.length > MAX_IDS && told.size === 0) await readPages(tracks)
    else if (due.length > 0) await readIds(due.slice(0, MAX_IDS), tracks)
  }

  /** Returns the tracks whose entry is unknown or has changed, or else, every now and then, those that have moved. */
  function dueIds(tracks: ReadonlyMap<string, FrameTrack>): string[] {
    const isMissing = (id: string) => now() - (missingSinceMs.get(id) ?? Number.NEGATIVE_INFINITY) < MISSING_MS
    const changed = [...tracks.values()].filter((track) => {
      const one = told.get(track.id)
      if (one === undefined) return !isMissing(track.id)
      return one.readWith.details !== track.details || one.readWith.state !== track.state
    })
    if (changed.length > 0 || now() - figuresAtMs < FIGURES_MS) return changed.map(({ id }) => id)
    figuresAtMs = now()
    return [...told.values()]
      .filter(({ facts, readWith }) => tracks.get(facts.id)!.timeMs !== readWith.timeMs)
      .sort((a, b) => a.readAtMs - b.readAtMs)
      .map(({ facts }) => facts.id)
  }

  async function readPages(tracks: ReadonlyMap<string, FrameTrack>): Promise<void> {
    let cursor = ''
    for (let page = 0; page < MAX_PAGES; page++) {
      const next = await readList(`limit=${TRACKS_PER_PAGE}${cursor}`, tracks)
      if (next === null) return
      cursor = `&cursor=${encodeURIComponent(next)}`
    }
  }

  async function readIds(ids: readonly string[], tracks: ReadonlyMap<string, FrameTrack>): Promise<void> {
    await readList(`ids=${ids.join()}`, tracks)
    for (const id of ids) if (!told.has(id)) missingSinceMs.set(id, now())
  }

  /** Reads a part of the list. Returns the cursor of the next. */
  async function readList(query: string, tracks: ReadonlyMap<string, FrameTrack>): Promise<string | null> {
    const answer = (await readFromShare(source, `tracks?${query}`, (response) => response.json())) as
      | { tracks: LiveTrack[]; next_cursor: string | null }
      | undefined
    for (const facts of answer?.tracks ?? []) {
      const readWith = tracks.get(facts.id)
      if (readWith === undefined) continue
      missingSinceMs.delete(facts.id)
      const { timeMs, state } = told.get(facts.id) ?? { timeMs: null, state: readWith.state }
      told.set(facts.id, { facts, readWith, readAtMs: now(), timeMs, state })
    }
    return answer?.next_cursor ?? null
  }

  return { take }
}

/** Yields what is new of a track. @param before its entry of the list that was told */
function* newsOf(one: Told, track: FrameTrack, before: LiveTrack | undefined, isWhole: boolean): Generator<LiveEvent> {
  const { facts, timeMs: toldMs } = one
  const { state, timeMs, latitude, longitude, speedMps } = track
  if (before !== facts || state !== one.state) {
    const last_point_at = timeMs === null ? null : new Date(timeMs).toISOString()
    yield { name: 'track', data: { ...facts, state, last_point_at } }
  }
  one.state = state
  one.timeMs = timeMs
  if (timeMs === null || timeMs === toldMs) return
  const has_gap = toldMs !== null && (isWhole || timeMs - toldMs > GAP_MS)
  const at = {
    time_ms: [timeMs],
    latitude: [latitude!],
    longitude: [longitude!],
    altitude: [null],
    speed_mps: [speedMps],
  }
  yield { name: 'points', data: { track_id: facts.id, has_gap, ...at } }
}

const now = () => performance.now()
