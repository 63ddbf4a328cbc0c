import { setImmediate as turn } from 'node:timers/promises'
import { inTime } from '#platform/basics/timers.ts'
import { DEFAULT_NO_SIGNAL_AFTER_SEC } from '../model/event-rules.ts'
import type { EventsStore } from '../model/events-store.ts'
import type { RunnerRow, TimeBasis } from '../model/tables.ts'
import type { DelayedEnds } from '../shares/delayed-ends.ts'
import { doubtsOf, type RunnerDoubt } from './doubts.ts'
import type { FollowSettings } from './follow-track.ts'
import type { FollowedTracks } from './followed-tracks.ts'
import { STOP_MS } from './line-stops.ts'
import { countingTimes, type NotedTimes, rejectedTimes, timeKey, timesAtGates } from './noted-times.ts'
import { type RaceCourse, raceCourse, rankingJson } from './race-json.ts'
import { NOT_STARTED, type RacedTrack, type RankedRunner, rankRunners } from './rank-runners.ts'
import type { Ranking } from './result-schemas.ts'
import { type Standing, standingOf } from './standing.ts'
import type { RaceStore } from './store.ts'
import type { TrackInRace, TracksInRace } from './tracks-in-race.ts'

/**
 * Time for which a request waits for tracks that are followed in a thread. After it, the ranking says that it is
 * incomplete.
 */
const WAIT_MS = 2000

type Options = {
  eventId: string
  events: EventsStore
  races: RaceStore
  tracks: TracksInRace
  followed: FollowedTracks
  delayedEnds: DelayedEnds
  now: () => number
}

/** Standings that are computed without a break: a few milliseconds. */
const TRACKS_AT_ONCE = 50

/** A standing, and its inputs. */
type KnownStanding = {
  version: number
  gunMs: number | null
  /** Time at which a silence becomes a stop; Infinity if it has already, and without points. */
  validUntilMs: number
  standing: Standing
}

/** Doubts that are returned: an operator decides about one after the other. */
const MAX_DOUBTS = 200

/** The ranking of one event on this instance. It holds nothing that cannot be computed again from the database. */
export class RaceBoard {
  readonly #options: Options
  #revision = -1
  #course: RaceCourse | undefined
  #runners: RunnerRow[] = []
  #gunMs: number | null = null
  #timeBasis: TimeBasis = 'gun'
  #times: NotedTimes = new Map()
  #rejected: ReadonlySet<string> = new Set()
  #silentAfterMs = DEFAULT_NO_SIGNAL_AFTER_SEC * 1000
  #refreshing: Promise<void> | undefined
  #asOfMs = 0
  #refreshedAtMs = Number.NEGATIVE_INFINITY
  #standings = new Map<string, KnownStanding>()
  #rankings: { key: string; ranking: Promise<Ranking> }[] = []

  constructor(options: Options) {
    this.#options = options
  }

  /** Time since the latest refresh; Infinity before the first. */
  get ageMs(): number {
    return performance.now() - this.#refreshedAtMs
  }

  /**
   * Tells whether all points up to a time have been followed. Work in a thread concerns later points, and delayed
   * viewers may not learn of it.
   */
  async isComplete(untilMs: number): Promise<boolean> {
    const { followed, delayedEnds } = this.#options
    if (followed.working === undefined || this.#course === undefined) return true
    if (untilMs === Number.POSITIVE_INFINITY) return false
    const tracks = [...this.#options.tracks.all].filter(({ row }) => row.start_ms <= untilMs)
    const ends = await delayedEnds(
      tracks.map(({ row }) => row),
      untilMs,
    )
    return tracks.every(({ row, followed }) => {
      const { count } = ends.get(row.id)!
      if (followed === null) return count === 0
      return (followed.lastMs ?? untilMs) > untilMs || followed.pointCount >= count
    })
  }

  /**
   * Brings the board up to date with the database. Callers at the same time share one refresh, unless it had begun
   * before: it could have missed the latest change.
   * @throws eventNotFound
   */
  async refresh(): Promise<void> {
    const before = this.#refreshing
    if (before === undefined) return await this.#startRefresh()
    await before.catch(() => {})
    // The first waiting caller begins; the others join.
    await (this.#refreshing ?? this.#startRefresh())
  }

  #startRefresh(): Promise<void> {
    this.#refreshing = this.#refresh().finally(() => {
      this.#refreshing = undefined
    })
    return this.#refreshing
  }

  async #refresh(): Promise<void> {
    const { eventId, events, races, followed, now } = this.#options
    const asOfMs = now()
    const startMs = performance.now()
    const event = await events.get(eventId)
    const summary = await races.findSummary(eventId)
    if (summary.revision !== this.#revision) {
      this.#runners = await races.listRunners(eventId)
      const noted = await races.listTimes(eventId)
      this.#times = countingTimes(noted)
      this.#rejected = rejectedTimes(noted)
      if (summary.course_revision !== (this.#course?.revision ?? 0))
        this.#course = raceCourse(await races.find(eventId))
      this.#gunMs = summary.starts_at_ms
      this.#timeBasis = summary.time_basis
      this.#revision = summary.revision
    }
    this.#silentAfterMs = (event.no_signal_after_sec ?? DEFAULT_NO_SIGNAL_AFTER_SEC) * 1000
    await followed.refresh(this.#course, (event.spectator_delay_sec ?? 0) * 1000)
    this.#asOfMs = asOfMs
    this.#refreshedAtMs = startMs
  }

  /** Waits a moment for tracks that are followed in a thread. */
  async settled(): Promise<void> {
    const { working } = this.#options.followed
    if (working === undefined) return
    await inTime(WAIT_MS, working)
  }

  /** Returns the ranking as of the latest refresh, as known at `untilMs`; Infinity for all. */
  async ranking(untilMs: number): Promise<Ranking> {
    const { tracks } = this.#options
    const isComplete = await this.isComplete(untilMs)
    const key = `${untilMs} ${this.#revision} ${tracks.version} ${isComplete} ${this.#asOfMs}`
    const known = this.#rankings.find((one) => one.key === key)
    if (known !== undefined) return await known.ranking
    const ranking = this.#rank(untilMs, isComplete)
    // Operators see all, and spectators the same or one earlier state.
    this.#rankings = [...this.#rankings.slice(-1), { key, ranking }]
    return await ranking
  }

  /** Returns the doubts about runners of the start list without a status. */
  async doubts(): Promise<{ asOfMs: number; isComplete: boolean; doubts: RunnerDoubt[] }> {
    const isComplete = await this.isComplete(Number.POSITIVE_INFINITY)
    const { course, ranked } = await this.#ranked(Number.POSITIVE_INFINITY)
    const doubts: RunnerDoubt[] = []
    for (const [i, one] of ranked.entries()) {
      if (i % TRACKS_AT_ONCE === TRACKS_AT_ONCE - 1) await turn()
      if (course === undefined || course !== this.#course || doubts.length >= MAX_DOUBTS) break
      doubts.push(...this.#doubtsOf(one, course))
    }
    return { asOfMs: this.#asOfMs, isComplete: isComplete && course === this.#course, doubts }
  }

  #doubtsOf({ track, runner, standing }: RankedRunner, { shape, gates, checkpoints }: RaceCourse): RunnerDoubt[] {
    const found = track === undefined ? undefined : this.#options.tracks.find(track.id)
    if (found?.followed == null || runner === undefined || runner.status !== null) return []
    const { followed, row } = found
    const settings = { ...this.#options.tracks.settingsOf(row), gates, projection: shape.projection }
    const race = { settings, gunMs: this.#gunMs, nowMs: this.#asOfMs, silentAfterMs: this.#silentAfterMs }
    return doubtsOf({ standing, track: followed, hasStopped: row.state === 'stopped' }, race)
      .filter(({ gate }) => !this.#rejected.has(timeKey(runner.user_id, checkpoints[gate].id)))
      .map((doubt) => {
        return { ...doubt, runner, trackId: row.id, checkpoint: checkpoints[doubt.gate], lastMs: followed.lastMs }
      })
  }

  /** Ranks the runners, and represents the ranking. */
  async #rank(untilMs: number, isComplete: boolean): Promise<Ranking> {
    const { course, ranked } = await this.#ranked(untilMs)
    const isAll = untilMs === Number.POSITIVE_INFINITY
    return rankingJson({
      asOfMs: isAll ? this.#asOfMs : Math.min(untilMs, this.#asOfMs),
      gunMs: this.#gunMs,
      timeBasis: this.#timeBasis,
      lengthM: course?.shape.lengthM ?? null,
      isComplete,
      checkpoints: course?.checkpoints ?? [],
      ranked,
    })
  }

  /** Ranks the runners. Between some of them, requests are answered. */
  async #ranked(untilMs: number): Promise<{ course: RaceCourse | undefined; ranked: RankedRunner[] }> {
    const course = this.#course
    const raced: RacedTrack[] = []
    for (const [i, track] of inOrder([...this.#options.tracks.all], untilMs).entries()) {
      if (i % TRACKS_AT_ONCE === TRACKS_AT_ONCE - 1) await turn()
      // Tracks are now followed along another course.
      if (course !== this.#course) return await this.#ranked(untilMs)
      // A track that begins later is not known yet.
      if (track.row.start_ms <= untilMs) raced.push(this.#raced(track, course, untilMs))
    }
    const race = { gunMs: this.#gunMs, timeBasis: this.#timeBasis, runners: this.#runners }
    const times = timesAtGates(this.#times, course?.checkpoints ?? [], untilMs)
    const gates = course?.gates ?? []
    return { course, ranked: rankRunners({ ...race, gates, tracks: raced, times }) }
  }

  #raced(track: TrackInRace, course: RaceCourse | undefined, untilMs: number): RacedTrack {
    const { id, user_id, title, start_ms } = track.row
    const standing = course === undefined ? NOT_STARTED : this.#standing(track, course, untilMs)
    return { id, userId: user_id, title, startMs: start_ms, standing }
  }

  /** Computes a standing; a standing of all points only when the track has changed. */
  #standing(track: TrackInRace, { shape, gates }: RaceCourse, untilMs: number): Standing {
    const { followed, version, row } = track
    if (followed === null) return NOT_STARTED
    const gunMs = this.#gunMs
    const isAll = untilMs === Number.POSITIVE_INFINITY
    const known = this.#standings.get(row.id)
    const nowMs = this.#asOfMs
    const isCurrent = known?.version === version && known.gunMs === gunMs && nowMs < known.validUntilMs
    if (isAll && isCurrent) return known.standing
    const settings: FollowSettings = { ...this.#options.tracks.settingsOf(row), gates, projection: shape.projection }
    const standing = standingOf(followed, shape, settings, { untilMs, nowMs, gunMs })
    if (!isAll) return standing
    const stopsMs = (followed.lastMs ?? Number.NEGATIVE_INFINITY) + STOP_MS
    const validUntilMs = stopsMs > nowMs ? stopsMs : Number.POSITIVE_INFINITY
    this.#standings.set(row.id, { version, gunMs, validUntilMs, standing })
    return standing
  }
}

/** Equal runners stand in the order of their tracks. The order of their latest changes would tell who goes on. */
function inOrder(tracks: TrackInRace[], untilMs: number): TrackInRace[] {
  if (untilMs === Number.POSITIVE_INFINITY) return tracks
  return tracks.sort(({ row: a }, { row: b }) => a.start_ms - b.start_ms || (a.id < b.id ? -1 : 1))
}
