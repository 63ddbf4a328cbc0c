import { crc32 } from 'node:zlib'
import type { Kysely } from 'kysely'
import { ShortSlices } from '#platform/jobs/main-thread-time.ts'
import type { TracksTables } from '../model/tables.ts'
import { lastChange } from '../points/storage/track-changes.ts'
import type { DelayedEnds } from '../shares/delayed-ends.ts'
import { type DelayedTails, goesOnAfter } from '../shares/delayed-tracks.ts'
import { shownUntil } from '../shares/spectator-delay.ts'
import {
  FRAME_MS,
  type Frame,
  type FrameEntry,
  type FramePosition,
  type FrameTrack,
  isSameTrack,
  TrackColumns,
} from './frame.ts'
import { encodeFrame } from './frame-bytes.ts'
import type { MadeFrame, SeriesKey } from './store.ts'
import { positionOf, type RecentEnds, readEnds, shownEndMs, speedStepOf, type TrackEnd } from './track-ends.ts'
import { type FrameRow, findChangedRows, findFirstRows, type ReadTrack, ReadTracks, rowsAt } from './track-rows.ts'

/** Numbers from one whole frame to the next: 30 s. */
const KEY_NUMBERS = 15
/** New tracks after which a frame is whole before its time: until then, each change of them repeats their ids. */
const MAX_ADDED = 64
/** Time that reading reaches back: a change gets its time from the clock of its instance before it becomes visible. */
const OVERLAP_MS = 5000
/** The same with each whole frame, for changes by instances whose clocks are behind. */
const WIDE_OVERLAP_MS = 15 * 60_000

/** Everything that frames are made from. */
export type MakerDeps = {
  db: Kysely<TracksTables>
  delayedEnds: DelayedEnds
  delayedTails: DelayedTails
  recentEnds: RecentEnds
  now: () => number
}

/** Returns the ranks of tracks in the race of the event as known at a time; empty without a race. */
export type RanksAt = (untilMs: number) => Promise<ReadonlyMap<string, number>>

/** State of the maker once a frame is stored. */
type Pending = {
  read: ReadonlyMap<string, ReadTrack>
  entries: readonly FrameEntry[]
  clockMs: number
  untilMs: number
}

/** A frame, and the state that makes it the latest of its maker. */
type NextFrame = { frame: MadeFrame; stored(): Promise<void> }

/**
 * Makes the frames of one series, one after another. It begins with a whole frame of all tracks. Then it reads what has
 * changed. With a delay, nothing later than the shown time enters a frame: each is made from rows as they were then.
 */
export class FrameMaker {
  readonly #deps: MakerDeps
  readonly #series: SeriesKey
  readonly #ranksAt: RanksAt
  readonly #read = new ReadTracks()
  readonly #slices = new ShortSlices()
  /** The tracks as of the latest frame, and as of the key frame, by their places. */
  #tracks = TrackColumns.empty()
  #keyTracks = TrackColumns.empty()
  #ranks: ReadonlyMap<string, number> = new Map()
  #number: number | undefined
  #key = 0
  #leftOut = 0
  #clockMs = 0
  #untilMs = Number.NEGATIVE_INFINITY

  constructor(deps: MakerDeps, series: SeriesKey, ranksAt: RanksAt) {
    this.#deps = deps
    this.#series = series
    this.#ranksAt = ranksAt
  }

  /**
   * Makes the frame of this time. Its number is that of the time, and at least `afterNumber` + 1.
   * @param intervalMs time until the next one is due
   */
  async next(afterNumber: number, intervalMs: number): Promise<NextFrame> {
    const { now } = this.#deps
    const { delaySec } = this.#series
    const asOfMs = now()
    const untilMs = shownUntil(delaySec, asOfMs)
    const number = Math.max(Math.floor(asOfMs / FRAME_MS), afterNumber + 1)
    const previous = this.#number ?? null
    const isDue = number - this.#key >= KEY_NUMBERS
    const pending = previous === null ? await this.#begin(asOfMs, untilMs) : await this.#change(isDue, untilMs)
    const ranks = await this.#ranksAt(untilMs)
    const entries = await this.#withRanks(pending.entries, ranks)
    const count = Math.max(this.#tracks.length, (entries.at(-1)?.place ?? -1) + 1)
    const isWhole = previous === null || isDue || count - this.#keyTracks.length > MAX_ADDED
    const base = { number, previous, asOfMs, delaySec, leftOut: this.#leftOut }
    const changes =
      previous === null
        ? null
        : await encodeFrame({ ...base, key: this.#key, isWhole: false, entries }, this.#keyTracks, this.#slices)
    const all = isWhole ? this.#tracks.copy() : undefined
    await this.#slices.each(all === undefined ? [] : entries, ({ place, track }) => all!.set(place, track))
    const whole = all === undefined ? null : await encodeWhole({ ...base, number, key: number }, all, this.#slices)
    const key = isWhole ? number : this.#key
    const stored = async () => {
      await this.#slices.each(pending.read, ([id, read]) => this.#read.set(id, read))
      if (all === undefined) await this.#slices.each(entries, ({ place, track }) => this.#tracks.set(place, track))
      else {
        this.#keyTracks = all
        this.#tracks = all.copy()
      }
      this.#ranks = ranks
      this.#number = number
      this.#key = key
      this.#clockMs = pending.clockMs
      this.#untilMs = pending.untilMs
    }
    return { frame: { number, key, asOfMs, intervalMs, changes, whole }, stored }
  }

  async #begin(nowMs: number, untilMs: number): Promise<Pending> {
    const { db } = this.#deps
    const { eventId } = this.#series
    const clockMs = await lastChange(db, eventId)
    const { rows, leftOut } = await findFirstRows(db, eventId, { nowMs, untilMs }, this.#slices)
    this.#leftOut = leftOut
    return { ...(await this.#entriesOf(rows, untilMs)), clockMs, untilMs }
  }

  /**
   * Reads what has changed. With a delay, that is nothing until the shown time moves: otherwise the time at which
   * somebody moves would tell that they do.
   */
  async #change(isWide: boolean, untilMs: number): Promise<Pending> {
    const isDelayed = Number.isFinite(untilMs)
    const clockMs = this.#clockMs
    if (isDelayed && untilMs === this.#untilMs) return { read: new Map(), entries: [], clockMs, untilMs }
    const sinceMs = clockMs - (isWide ? WIDE_OVERLAP_MS : OVERLAP_MS)
    const isRead = (id: string, updatedAt: number) => this.#read.updatedAt(id) === updatedAt
    const changed = await findChangedRows(this.#deps.db, this.#series.eventId, { sinceMs, isRead }, this.#slices)
    const ids = new Set<string>()
    let latestMs = clockMs
    await this.#slices.each(changed, ({ id, updated_at }) => {
      ids.add(id)
      latestMs = Math.max(latestMs, updated_at)
    })
    const held = isDelayed ? this.#read.held().filter(({ id }) => !ids.has(id)) : []
    return { ...(await this.#entriesOf([...changed, ...held], untilMs)), clockMs: latestMs, untilMs }
  }

  /** Returns how rows look, and the entries of those that look different from the frame before. */
  async #entriesOf(stored: readonly FrameRow[], untilMs: number) {
    const isDelayed = Number.isFinite(untilMs)
    const visible = await rowsAt(this.#deps.delayedEnds, stored, untilMs)
    // The order of the latest changes would tell who goes on.
    const ordered = await this.#slices.sorted(visible, (a, b) => a.start_ms - b.start_ms || (a.id < b.id ? -1 : 1))
    const moved: FrameRow[] = []
    await this.#slices.each(ordered, (row) => {
      if (shownEndMs(row) !== this.#read.find(row.id)?.endMs) moved.push(row)
    })
    const ends = await readEnds(this.#deps, moved, isDelayed, this.#slices)
    const heldOf = (row: FrameRow) => (isDelayed && goesOnAfter(row, untilMs) ? row : undefined)
    const read = new Map<string, ReadTrack>()
    await this.#slices.each(stored, (row) => {
      const before = this.#read.find(row.id)
      read.set(row.id, { place: before?.place, endMs: before?.endMs, updatedAt: row.updated_at, held: heldOf(row) })
    })
    const entries: FrameEntry[] = []
    let places = this.#tracks.length
    await this.#slices.each(ordered, (row) => {
      const one = read.get(row.id)!
      const before = one.place === undefined ? undefined : this.#tracks.at(one.place)
      one.place ??= places++
      const endMs = shownEndMs(row)
      const track = trackOf(row, before, endMs === one.endMs ? before?.position : undefined, ends.get(row.id))
      one.endMs = endMs
      if (before === undefined || !isSameTrack(before, track)) entries.push({ place: one.place, track })
    })
    return { read, entries: await this.#slices.sorted(entries, byPlace) }
  }

  /** Adds ranks to the entries, and entries for tracks whose rank alone has changed. */
  async #withRanks(entries: readonly FrameEntry[], ranks: ReadonlyMap<string, number>): Promise<FrameEntry[]> {
    const rankOf = (id: string) => ranks.get(id) ?? 0
    const ranked = new Map<number, FrameEntry>()
    await this.#slices.each(entries, ({ place, track }) =>
      ranked.set(place, { place, track: withRank(track, rankOf(track.id)) }),
    )
    if (ranks === this.#ranks) return [...ranked.values()]
    await this.#slices.each(Array(this.#tracks.length).keys(), (place) => {
      const rank = rankOf(this.#tracks.idAt(place))
      if (ranked.has(place) || rank === this.#tracks.rankAt(place)) return
      ranked.set(place, { place, track: withRank(this.#tracks.at(place)!, rank) })
    })
    return await this.#slices.sorted([...ranked.values()], byPlace)
  }
}

const byPlace = (one: FrameEntry, other: FrameEntry) => one.place - other.place

/** Writes all tracks. */
async function encodeWhole(
  frame: Omit<Frame, 'isWhole' | 'entries'>,
  tracks: TrackColumns,
  slices: ShortSlices,
): Promise<Uint8Array> {
  const entries: FrameEntry[] = []
  await slices.each(Array(tracks.length).keys(), (place) => entries.push({ place, track: tracks.at(place)! }))
  return await encodeFrame({ ...frame, isWhole: true, entries }, TrackColumns.empty(), slices)
}

function withRank(track: FrameTrack, rank: number): FrameTrack {
  return track.rank === rank ? track : { ...track, rank }
}

/** Returns a track as a frame shows it. `sameEnd` is its former position if it has not moved. */
function trackOf(
  row: FrameRow,
  before: FrameTrack | undefined,
  sameEnd: FramePosition | null | undefined,
  end: TrackEnd | undefined,
): FrameTrack {
  const { title, activity_type, start_ms, end_ms } = row
  const sameSpeed = sameEnd === undefined || sameEnd === null ? 0 : before!.speed
  return {
    id: row.id,
    state: row.state,
    position: end === undefined ? (sameEnd ?? null) : positionOf(end, before?.position ?? null),
    speed: end === undefined ? sameSpeed : speedStepOf(end, before),
    rank: before?.rank ?? 0,
    details: crc32(JSON.stringify([title, activity_type, start_ms, end_ms])) & 0xffff,
    battery: end?.batteryPercent === undefined ? (before?.battery ?? 0) : end.batteryPercent + 1,
  }
}
