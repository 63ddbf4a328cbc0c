import type { Kysely } from 'kysely'
import type { Logger } from '#platform/basics/logger.ts'
import { isDatabaseUnavailable } from '#platform/database/database-failure.ts'
import type { TracksTables } from '../model/tables.ts'
import { readChunksOfTracks } from '../points/storage/chunks-store.ts'
import { readTails } from '../points/storage/track-changes.ts'
import type { ComputeScheduler } from '../points/turns.ts'
import type { PointsPool } from '../statistics/points-pool.ts'
import { followInThread, type TrackToFollow } from './follow-task.ts'
import { follow, newFollowedTrack } from './follow-track.ts'
import type { RaceCourse } from './race-json.ts'
import type { FollowedTracksStore } from './store.ts'
import type { Following, TracksInRace } from './tracks-in-race.ts'

type Options = {
  db: Kysely<TracksTables>
  stored: FollowedTracksStore
  pool: PointsPool
  turns: ComputeScheduler
  logger: Logger
  eventId: string
  tracks: TracksInRace
}

const TAILS_PER_READ = 50
/** Most new points that are followed in the calling thread: it takes less than a millisecond. */
const MAX_TAIL_POINTS = 1000
/** Points and tracks of a task: a tenth of a second in a thread. */
const POINTS_PER_TASK = 100_000
const TRACKS_PER_TASK = 50
/** A track that goes on is stored this often, so that another instance has little to follow. */
const SAVE_EVERY_MS = 60_000

/**
 * Follows the tracks of an event along its course. A track is followed from its last state, with new points; one with
 * late points, and every track once the course has changed, from its beginning in a thread. States are stored, and can
 * be continued by any instance.
 */
export class FollowedTracks {
  readonly #options: Options
  readonly #tracks: TracksInRace
  #course: RaceCourse | undefined
  #working: Promise<void> | undefined
  #saving: Promise<void> | undefined

  constructor(options: Options) {
    this.#options = options
    this.#tracks = options.tracks
  }

  /** Resolves when no track has to be followed in a thread any more; undefined if none has to. */
  get working(): Promise<void> | undefined {
    return this.#working
  }

  /**
   * Reads changed tracks, and follows them. Tracks with much to follow are followed in the background; see `working`.
   */
  async refresh(course: RaceCourse | undefined, trailMs: number): Promise<void> {
    this.#tracks.setTrail(trailMs)
    if (course?.revision !== this.#course?.revision) this.#tracks.forgetFollowed()
    this.#course = course
    await this.#tracks.read()
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

  /** Takes up states that this or another instance has stored, for tracks that are new here. */
  async #loadStored(course: RaceCourse): Promise<void> {
    const unknown = [...this.#tracks.all].filter(({ isNew, row }) => isNew && row.point_count > 0)
    for (const track of unknown) track.isNew = false
    const ids = unknown.map(({ row }) => row.id)
    for (const { track_id, track_revision, course_revision, state } of await this.#options.stored.find(ids)) {
      const track = this.#tracks.find(track_id)
      const isOfCourse = course_revision === course.revision && track_revision.endsWith(`/${track?.key}`)
      if (track === undefined || !isOfCourse) continue
      this.#tracks.change(track, JSON.parse(state))
      track.savedVersion = track.version
      track.savedAtMs = performance.now()
    }
  }

  /** Follows the new points of tracks that have few. */
  async #followTails({ gates, shape }: RaceCourse): Promise<void> {
    const short = [...this.#tracks.all].filter(({ row, followed, isInThread }) => {
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
          this.#tracks.change(track, null)
          continue
        }
        const followed = track.followed ?? newFollowedTrack()
        follow(followed, tail, { ...this.#tracks.settingsOf(track.row), gates, projection: shape.projection })
        this.#tracks.change(track, followed)
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
  #nextTask(): Following[] {
    const task: Following[] = []
    let points = 0
    for (const track of this.#tracks.all) {
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

  async #runTask(course: RaceCourse, task: readonly Following[]): Promise<void> {
    const { db, pool, turns, logger, eventId } = this.#options
    for (const track of task) track.triedAt = track.row.updated_at
    const rows = task.map(({ row }) => row)
    const follow = async () => {
      const chunks = await readChunksOfTracks(db, rows)
      const tracks = rows.map((row, i): TrackToFollow => {
        return { followed: null, chunks: chunks[i], settings: this.#tracks.settingsOf(row) }
      })
      return await followInThread(pool, { line: course.line, checkpoints: course.checkpoints, tracks })
    }
    try {
      const followed = await turns.take('maintenance', follow)
      for (const [i, track] of task.entries()) {
        if (course === this.#course && this.#tracks.find(track.row.id) === track)
          this.#tracks.change(track, followed[i])
      }
    } catch (err) {
      if (task.length === 1)
        logger.warn({ err, eventId, trackId: rows[0].id }, 'following a track along the course failed')
      // One damaged track must not hold up the others.
      else for (const track of task) await this.#runTask(course, [track])
    }
  }

  /**
   * Stores tracks that have finished, and others from time to time. Where the database is read-only, nothing is stored.
   */
  async #save(course: RaceCourse): Promise<void> {
    const nowMs = performance.now()
    const due = [...this.#tracks.all].filter(
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
