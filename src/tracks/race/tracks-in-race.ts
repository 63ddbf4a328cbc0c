import type { Kysely } from 'kysely'
import type { TrackRow, TracksTables } from '../model/tables.ts'
import type { ShownTrackRow } from '../model/track-rows.ts'
import { type ChangedTrack, findTracks, readTracks } from '../points/storage/track-changes.ts'
import { plausibleSpeedMps } from '../statistics/speed.ts'
import { FOLLOW_METHOD, type FollowedTrack, type FollowSettings } from './follow-track.ts'

/** The part of a track that the race needs. */
type RacedRow = ShownTrackRow & { user_id: string | null }

/** A track of the event, and how far it has been followed; null while it has not been, and without a course. */
export type TrackInRace = {
  row: RacedRow
  followed: FollowedTrack | null
  /** Settings other than those at the time of following. */
  key: string
  /** Changes whenever `followed` does. */
  version: number
}

/** A track with the state of following it on this instance. */
export type Following = TrackInRace & {
  /** True until it was looked for among the stored ones. */
  isNew: boolean
  /**
   * The state of the track at which following it in a thread was tried last, so that a damaged one is not tried
   * forever.
   */
  triedAt: number | null
  isInThread: boolean
  savedVersion: number
  savedAtMs: number
}

type Options = { db: Kysely<TracksTables>; eventId: string; maxAccuracyMeters: number }

/** Tracks of an event that are followed, the latest changed; 2,000 runners with a few tracks each. */
const MAX_TRACKS = 20_000
const TRACKS_PER_READ = 200

/** The tracks of an event, as they were read last, and how far each has been followed along the course. */
export class TracksInRace {
  readonly #options: Options
  readonly #tracks = new Map<string, Following>()
  #trailMs = 0
  #version = 0

  constructor(options: Options) {
    this.#options = options
  }

  /** All tracks of the event. */
  get all(): IterableIterator<Following> {
    return this.#tracks.values()
  }

  /** Changes whenever a track does. */
  get version(): number {
    return this.#version
  }

  find(id: string): Following | undefined {
    return this.#tracks.get(id)
  }

  /** The settings with which a track is followed. */
  settingsOf(row: RacedRow): Omit<FollowSettings, 'gates' | 'projection'> {
    return {
      maxSpeedMps: plausibleSpeedMps(row.activity_type, 0),
      maxAccuracyM: this.#options.maxAccuracyMeters,
      fromMs: row.shown_from_ms ?? Number.MIN_SAFE_INTEGER,
      toMs: row.shown_until_ms ?? Number.MAX_SAFE_INTEGER,
      trailMs: this.#trailMs,
    }
  }

  /** Sets the trail that is kept of each track. Another one needs all tracks to be followed again. */
  setTrail(trailMs: number): void {
    if (trailMs === this.#trailMs) return
    this.#trailMs = trailMs
    // The keys of all tracks tell of the trail.
    this.#tracks.clear()
    this.#version++
  }

  /** Sets how far a track has been followed; null for not at all. */
  change(track: Following, followed: FollowedTrack | null): void {
    track.followed = followed
    track.version = ++this.#version
    track.triedAt = followed === null ? null : track.triedAt
  }

  forgetFollowed(): void {
    for (const track of this.#tracks.values()) this.change(track, null)
  }

  /** Reads new and changed tracks, and drops deleted ones. */
  async read(): Promise<void> {
    const { db, eventId } = this.#options
    const all = latest(await findTracks(db, eventId), MAX_TRACKS)
    const ids = new Set(all.map(({ id }) => id))
    for (const id of this.#tracks.keys()) {
      if (ids.has(id)) continue
      this.#tracks.delete(id)
      this.#version++
    }
    const changed = all.filter(({ id, updated_at }) => this.#tracks.get(id)?.row.updated_at !== updated_at)
    for (let i = 0; i < changed.length; i += TRACKS_PER_READ) {
      const some = changed.slice(i, i + TRACKS_PER_READ).map(({ id }) => id)
      for (const row of await readTracks(db, some)) this.#keep(row)
    }
  }

  #keep(row: TrackRow): void {
    const { maxSpeedMps, maxAccuracyM, fromMs, toMs, trailMs } = this.settingsOf(row)
    const key = `${FOLLOW_METHOD} ${maxSpeedMps} ${maxAccuracyM} ${fromMs} ${toMs} ${trailMs}`
    const known = this.#tracks.get(row.id)
    this.#version++
    if (known === undefined) {
      const never = {
        followed: null,
        triedAt: null,
        isInThread: false,
        savedVersion: 0,
        savedAtMs: Number.NEGATIVE_INFINITY,
      }
      this.#tracks.set(row.id, { row, key, version: this.#version, ...never, isNew: true })
      return
    }
    known.row = row
    if (known.key !== key) this.change(known, null)
    known.key = key
  }
}

/** Returns the tracks that changed last. */
function latest(tracks: ChangedTrack[], count: number): ChangedTrack[] {
  if (tracks.length <= count) return tracks
  return tracks.sort((a, b) => b.updated_at - a.updated_at).slice(0, count)
}
