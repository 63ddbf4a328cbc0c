import type { Kysely } from 'kysely'
import { isDatabaseUnavailable } from '#platform/database/database-failure.ts'
import type { Logger } from '#platform/logger.ts'
import type { ComputingTurns } from '../computing/computing-turns.ts'
import type { TrackToFollow } from '../computing/follow-task.ts'
import type { PointsPool } from '../computing/points-pool.ts'
import {
  FOLLOW_METHOD,
  type FollowedTrack,
  type FollowSettings,
  follow,
  newFollowedTrack,
} from '../race/follow-track.ts'
import { plausibleSpeedMps } from '../statistics/speed/plausible-speed.ts'
import { readChunksOfTracks } from '../storage/chunks-store.ts'
import type { FollowedTracksStore } from '../storage/race/followed-tracks-store.ts'
import type { TrackRow, TracksTables } from '../storage/tables.ts'
import { type ChangedTrack, findTracks, readTails, readTracks } from '../storage/track-changes.ts'
import type { RaceCourse } from './race-course.ts'

/** The part of a track that the race needs. */
type RacedRow = Pick<
  TrackRow,
  | 'id'
  | 'user_id'
  | 'title'
  | 'activity_type'
  | 'state'
  | 'start_ms'
  | 'point_count'
  | 'last_point_ms'
  | 'revision'
  | 'shown_from_ms'
  | 'shown_until_ms'
  | 'updated_at'
>

/** A track of the event, and how far it has been followed; null while it has not been, and without a course. */
export type TrackInRace = {
  row: RacedRow
  followed: FollowedTrack | null
  /** Settings other than those of the course with which it was followed. */
  key: string
  /** Changes whenever `followed` does. */
  version: number
}

type Kept = TrackInRace & {
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

type Options = {
  db: Kysely<TracksTables>
  stored: FollowedTracksStore
  pool: Pick<PointsPool, 'follow'>
  turns: Pick<ComputingTurns, 'take'>
  logger: Logger
  eventId: string
  maxAccuracyMeters: number
}

/** Tracks of an event that are followed, those that changed last; 2,000 runners with a few tracks each. */
const MAX_TRACKS = 20_000
const TRACKS_PER_READ = 200
const TAILS_PER_READ = 50
/** Most new points that are followed in the calling thread: it takes less than a millisecond. */
const MAX_TAIL_POINTS = 1000
/** Points and tracks of a task: a tenth of a second in a thread. */
const POINTS_PER_TASK = 100_000
const TRACKS_PER_TASK = 50
/** A track that goes on is stored this often, so that another instance has little to follow. */
const SAVE_EVERY_MS = 60_000

/**
 * Follows the tracks of an event along its course. A track is followed from where it was left, with the points that are
 * new; one with late points, and every track once the course has changed, from its beginning in a thread. What was
 * followed is stored, and can be continued by any instance.
 */
export class FollowedTracks {
  readonly #options: Options
  readonly #tracks = new Map<string, Kept>()
  #course: RaceCourse | undefined
  #trailMs = 0
  #working: Promise<void> | undefined
  #saving: Promise<void> | undefined
  #version = 0

  constructor(options: Options) {
    this.#options = options
  }

  /** All tracks of the event. */
  get tracks(): IterableIterator<TrackInRace> {
    return this.#tracks.values()
  }

  /** Changes whenever a track does. */
  get version(): number {
    return this.#version
  }

  /** Resolves when no track has to be followed in a thread any more; undefined if none has to. */
  get working(): Promise<void> | undefined {
    return this.#working
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

  /**
   * Reads what has changed, and follows it. Tracks with much to follow are followed in the background; see `working`.
   */
  async refresh(course: RaceCourse | undefined, trailMs: number): Promise<void> {
    // Another delay needs another trail, of which the keys of all tracks tell.
    if (trailMs !== this.#trailMs) this.#forgetTracks()
    this.#trailMs = trailMs
    if (course?.revision !== this.#course?.revision) this.#forgetFollowed()
    this.#course = course
    await this.#readChanges()
    if (course === undefined) return
    await this.#loadStored(course)
    await this.#followTails(course)
    if (this.#nextTask().length > 0) {
      this.#working ??= this.#followInThread(course).finally(() => {
        this.#working = undefined
      })
    }
    // The next reader would only save some work: nobody waits for it.
    this.#saving ??= this.#save(course).finally(() => {
      this.#saving = undefined
    })
  }

  #forgetTracks(): void {
    this.#tracks.clear()
    this.#version++
  }

  #forgetFollowed(): void {
    for (const track of this.#tracks.values()) this.#change(track, null)
  }

  #change(track: Kept, followed: FollowedTrack | null): void {
    track.followed = followed
    track.version = ++this.#version
    track.triedAt = followed === null ? null : track.triedAt
  }

  async #readChanges(): Promise<void> {
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
      const rows = await readTracks(
        db,
        changed.slice(i, i + TRACKS_PER_READ).map(({ id }) => id),
      )
      for (const row of rows) this.#keep(row)
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
    if (known.key !== key) this.#change(known, null)
    known.key = key
  }

  /** Takes up what this or another instance has stored, for tracks that are new here. */
  async #loadStored(course: RaceCourse): Promise<void> {
    const unknown = [...this.#tracks.values()].filter(({ isNew, row }) => isNew && row.point_count > 0)
    for (const track of unknown) track.isNew = false
    const ids = unknown.map(({ row }) => row.id)
    for (const { track_id, track_revision, course_revision, state } of await this.#options.stored.find(ids)) {
      const track = this.#tracks.get(track_id)
      const isOfCourse = course_revision === course.revision && track_revision.endsWith(`/${track?.key}`)
      if (track === undefined || !isOfCourse) continue
      this.#change(track, JSON.parse(state))
      track.savedVersion = track.version
      track.savedAtMs = performance.now()
    }
  }

  /** Follows the new points of tracks that have few. */
  async #followTails({ gates, shape }: RaceCourse): Promise<void> {
    const short = [...this.#tracks.values()].filter(({ row, followed, isInThread }) => {
      const newPoints = row.point_count - (followed?.pointCount ?? 0)
      return !isInThread && newPoints > 0 && newPoints <= MAX_TAIL_POINTS
    })
    for (let i = 0; i < short.length; i += TAILS_PER_READ) {
      const some = short.slice(i, i + TAILS_PER_READ)
      const tails = await readTails(
        this.#options.db,
        some.map(({ row, followed }) => ({ trackId: row.id, afterMs: followed?.lastMs ?? Number.MIN_SAFE_INTEGER })),
      )
      for (const track of some) {
        const tail = tails.get(track.row.id)
        const expected = track.row.point_count - (track.followed?.pointCount ?? 0)
        // Some points are earlier than the last one that was followed.
        if (tail === undefined || tail.count < expected) {
          this.#change(track, null)
          continue
        }
        const followed = track.followed ?? newFollowedTrack()
        follow(followed, tail, { ...this.settingsOf(track.row), gates, projection: shape.projection })
        this.#change(track, followed)
      }
    }
  }

  /** Follows tracks in a thread until none is left, or the course changes. */
  async #followInThread(course: RaceCourse): Promise<void> {
    for (let task = this.#nextTask(); task.length > 0 && course === this.#course; task = this.#nextTask()) {
      for (const track of task) track.isInThread = true
      try {
        await this.#runTask(course, task)
      } finally {
        for (const track of task) track.isInThread = false
      }
    }
  }

  /** Returns some tracks that have more to follow than a few new points. */
  #nextTask(): Kept[] {
    const task: Kept[] = []
    let points = 0
    for (const track of this.#tracks.values()) {
      const newPoints = track.row.point_count - (track.followed?.pointCount ?? 0)
      const isTried = track.triedAt === track.row.updated_at
      if (newPoints === 0 || isTried || track.isInThread) continue
      points += newPoints < 0 ? track.row.point_count : newPoints
      if (task.length > 0 && points > POINTS_PER_TASK) break
      task.push(track)
      if (task.length === TRACKS_PER_TASK) break
    }
    return task
  }

  async #runTask(course: RaceCourse, task: readonly Kept[]): Promise<void> {
    const { db, pool, turns, logger, eventId } = this.#options
    for (const track of task) track.triedAt = track.row.updated_at
    const ids = task.map(({ row }) => row.id)
    const follow = async () => {
      const chunks = await readChunksOfTracks(db, ids)
      const tracks = task.map((track): TrackToFollow => {
        const bytes = (chunks.get(track.row.id) ?? []).map((chunk) => chunk.bytes)
        return { followed: null, chunks: bytes, settings: this.settingsOf(track.row) }
      })
      return await pool.follow({ line: course.line, checkpoints: course.checkpoints, tracks })
    }
    try {
      const followed = await turns.take('upkeep', follow)
      for (const [i, track] of task.entries()) {
        if (course === this.#course && this.#tracks.get(track.row.id) === track) this.#change(track, followed[i])
      }
    } catch (err) {
      if (task.length === 1) logger.warn({ err, eventId, trackId: ids[0] }, 'following a track along the course failed')
      // One damaged track must not hold up the others.
      else for (const track of task) await this.#runTask(course, [track])
    }
  }

  /**
   * Stores tracks that have finished, and others from time to time. Where the database is read-only, nothing is stored.
   */
  async #save(course: RaceCourse): Promise<void> {
    const nowMs = performance.now()
    const due = [...this.#tracks.values()].filter(
      ({ followed, version, savedVersion, savedAtMs, row }) =>
        followed !== null &&
        version !== savedVersion &&
        (row.state === 'stopped' || nowMs - savedAtMs >= SAVE_EVERY_MS),
    )
    if (due.length === 0) return
    const rows = due.map(({ row, key, followed }) => ({
      track_id: row.id,
      track_revision: `${row.revision}/${key}`,
      course_revision: course.revision,
      state: JSON.stringify(followed),
    }))
    for (const track of due) {
      track.savedVersion = track.version
      track.savedAtMs = nowMs
    }
    try {
      await this.#options.stored.save(rows)
    } catch (err) {
      if (!isDatabaseUnavailable(err)) this.#options.logger.warn({ err }, 'storing followed tracks failed')
    }
  }
}

/** Returns the tracks that changed last. */
function latest(tracks: ChangedTrack[], count: number): ChangedTrack[] {
  if (tracks.length <= count) return tracks
  return tracks.sort((a, b) => b.updated_at - a.updated_at).slice(0, count)
}
