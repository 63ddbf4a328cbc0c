import { randomUUID } from 'node:crypto'
import { setImmediate as turn } from 'node:timers/promises'
import type { Kysely } from 'kysely'
import type { Logger } from '#platform/basics/logger.ts'
import { formatDateTime } from '#platform/basics/time.ts'
import { inTransaction } from '#platform/database/transaction.ts'
import type { ServiceJobs } from '#platform/jobs/jobs.ts'
import { newTrackRow } from '../api/create-track.ts'
import { beginDeletingTracks, type EventsStore, type EventViews } from '../model/events-store.ts'
import type { RehearsalRow, TracksTables } from '../model/tables.ts'
import { wholeEvent } from '../model/track-rows.ts'
import { finishChange } from '../model/track-state.ts'
import type { TracksStore } from '../model/tracks-store.ts'
import type { PointsWriter } from '../points/storage/points-writer.ts'
import { decodeCourseLine } from '../statistics/course-line.ts'
import { createRehearsalStore, newRehearsal, type RehearsalStore } from './rehearsal-store.ts'
import { planRunners, pointsBetween, type RunCourse, runCourse, type SimulatedRunner } from './simulate-runners.ts'
import type { RaceStore } from './store.ts'

/** Seconds of the race in a second. */
export const REHEARSAL_SPEED = 60
/** Runners whose phones are simulated; the others of a longer list stay at home. */
export const MAX_SIMULATED_RUNNERS = 300

/** Longest part of the race in one step, as after an interruption, in seconds. */
const MAX_STEP_SEC = 300
/** Points of a phone are so far apart, and further where a long race of many would have more than so many. */
const POINT_EVERY_SEC = 10
const MAX_POINTS = 400_000
/** An instance that has not taken a step for so long has ended. */
const LEASE_MS = 30_000
/** Instances without a rehearsal of their own look so often for one that an instance has left. */
const LOOK_EVERY_MS = 30_000
/** Runners whose points are stored together. */
const RUNNERS_AT_ONCE = 50

type Deps = {
  db: Kysely<TracksTables>
  events: EventsStore
  races: RaceStore
  tracks: TracksStore
  points: PointsWriter
  watches: EventViews
  titleTimeZone: string
  logger: Logger
  now: () => number
}

/** The simulated phones of a rehearsal, which follow from its course and its start list alone. */
type Plan = { course: RunCourse; runners: readonly SimulatedRunner[]; everySec: number; endSec: number }

/** The rehearsals of events on this instance. The database has enough to go on after the end of any instance. */
export class Rehearsals {
  readonly #deps: Deps
  readonly #store: RehearsalStore
  readonly #owner = randomUUID()
  readonly #plans = new Map<string, Promise<Plan>>()
  #stepping: Promise<void> | undefined
  /** True while there may be a rehearsal whose phones send. */
  #isUnderWay = true
  #lookedMs = Number.NEGATIVE_INFINITY

  constructor(deps: Deps) {
    this.#deps = deps
    this.#store = createRehearsalStore(deps.db)
  }

  /** Returns the rehearsal of an event. */
  find(eventId: string): Promise<RehearsalRow | undefined> {
    return this.#store.find(eventId)
  }

  /**
   * Copies an event and begins its rehearsal.
   * @throws eventNotFound, courseMissing, startListMissing, rehearsalExists, isRehearsal
   */
  async begin(eventId: string, name: string): Promise<RehearsalRow> {
    const { events, races, now } = this.#deps
    const event = await events.get(eventId)
    const [race, runners] = [await races.find(eventId), await races.listRunners(eventId)]
    const nowMs = now()
    const copy = { id: randomUUID(), name, created_at: nowMs }
    await this.#store.begin(event, race, runners, copy)
    this.#isUnderWay = true
    // The runners wait at the start when the operator looks.
    await this.#stepping
    await this.step()
    return (await this.find(eventId)) ?? newRehearsal(eventId, copy)
  }

  /** Removes the rehearsal of an event with all that it has left. @returns false if there is none */
  async remove(eventId: string): Promise<boolean> {
    const rehearsal = await this.find(eventId)
    if (rehearsal !== undefined) await this.#removeCopy(rehearsal)
    return rehearsal !== undefined
  }

  /** Tells whether a step may be due: phones send, or it is time to look whether they do. */
  isDue(): boolean {
    return this.#isUnderWay || performance.now() - this.#lookedMs > LOOK_EVERY_MS
  }

  /** Sends what the simulated phones have recorded since the step before. Callers at the same time share a step. */
  step(): Promise<void> {
    this.#stepping ??= this.#takeSteps().finally(() => {
      this.#stepping = undefined
    })
    return this.#stepping
  }

  async #takeSteps(): Promise<void> {
    const { events, now } = this.#deps
    const all = await this.#store.list()
    this.#lookedMs = performance.now()
    this.#isUnderWay = false
    for (const rehearsal of all) {
      const { event_id: eventId, ended_at } = rehearsal
      if ((await events.find(rehearsal.rehearsed_id)) === undefined) await this.#removeCopy(rehearsal)
      else if (ended_at === null) {
        this.#isUnderWay = true
        if (await this.#store.claim(eventId, this.#owner, now(), now() + LEASE_MS)) await this.#takeStep(rehearsal)
      }
      if (ended_at !== null) this.#plans.delete(eventId)
    }
  }

  async #takeStep(rehearsal: RehearsalRow): Promise<void> {
    const { races, now } = this.#deps
    const { event_id: eventId, sent_sec: afterSec } = rehearsal
    const known = this.#plans.get(eventId) ?? planOf(races, eventId)
    this.#plans.set(eventId, known)
    const plan = await known
    const nowMs = now()
    const passedSec = ((nowMs - rehearsal.stepped_at) / 1000) * REHEARSAL_SPEED
    const untilSec = Math.min(plan.endSec, afterSec + Math.min(MAX_STEP_SEC, Math.max(1, passedSec)))
    try {
      await sendPoints(this.#deps, rehearsal, plan, untilSec)
    } catch (error) {
      // It was removed meanwhile.
      if ((await this.find(rehearsal.rehearsed_id)) === undefined) return
      throw error
    }
    const ended_at = untilSec >= plan.endSec ? nowMs : null
    await this.#store.note(eventId, this.#owner, { sent_sec: untilSec, stepped_at: nowMs, ended_at })
  }

  /** Ends the copy for all readers. Its tracks are removed in steps, which the upkeep resumes. */
  async #removeCopy({ event_id: eventId }: RehearsalRow): Promise<void> {
    const { events, watches, now } = this.#deps
    this.#plans.delete(eventId)
    // Another instance has ended it meanwhile.
    if ((await events.find(eventId)) === undefined) return
    await events.end(eventId, now())
    watches.check(eventId)
    beginDeletingTracks(this.#deps, eventId)
  }
}

/** Opens the rehearsals of this instance, and adds the job that lets them go on. */
export function openRehearsals(deps: Deps, jobs: ServiceJobs): Rehearsals {
  const rehearsals = new Rehearsals(deps)
  jobs.every('rehearsals', {
    everyMs: 2_000,
    doc: 'Sends the points of simulated phones into the rehearsals of events.',
    run: () => rehearsals.step(),
    isDue: () => rehearsals.isDue(),
  })
  return rehearsals
}

/** Plans the phones of a rehearsal. */
async function planOf(races: RaceStore, eventId: string): Promise<Plan> {
  const [race, runners] = [await races.find(eventId), await races.listRunners(eventId)]
  const course = runCourse(decodeCourseLine(race.course_line!))
  const starting = runners.filter(({ status }) => status === null).slice(0, MAX_SIMULATED_RUNNERS)
  const planned = planRunners(
    course,
    starting.map(({ user_id }) => user_id),
    { hasCommonStart: race.starts_at_ms !== null },
  )
  const endSec = Math.max(...planned.map((runner) => runner.endSec))
  const everySec = Math.max(POINT_EVERY_SEC, Math.ceil((planned.length * endSec) / MAX_POINTS))
  return { course, runners: planned, everySec, endSec }
}

/** Stores what the phones of a rehearsal have recorded up to a time of the race. A repetition changes nothing. */
async function sendPoints(deps: Deps, rehearsal: RehearsalRow, plan: Plan, untilSec: number): Promise<void> {
  const { event_id: eventId, starts_ms: startsMs, sent_sec: afterSec } = rehearsal
  const { course, everySec } = plan
  const trackIds = await tracksOf(deps.db, eventId)
  const due = plan.runners.filter(({ startSec, endSec }) => startSec <= untilSec && endSec > afterSec)
  for (let i = 0; i < due.length; i += RUNNERS_AT_ONCE) {
    await Promise.all(
      due.slice(i, i + RUNNERS_AT_ONCE).map(async (runner) => {
        const points = pointsBetween(course, runner, { startsMs, afterSec, untilSec, everySec })
        const trackId = trackIds.get(runner.userId) ?? (await openTrack(deps, eventId, runner, startsMs))
        if (points !== undefined) await deps.points.append(wholeEvent(eventId), trackId, points)
        if (runner.isFinished && runner.endSec <= untilSec)
          await deps.tracks.change(wholeEvent(eventId), trackId, (row) => finishChange(row, deps.now()))
      }),
    )
    await turn()
  }
}

async function tracksOf(db: Kysely<TracksTables>, eventId: string): Promise<Map<string, string>> {
  const rows = await db.selectFrom('tracks').select(['id', 'user_id']).where('event_id', '=', eventId).execute()
  return new Map(rows.map(({ id, user_id }) => [user_id!, id]))
}

async function openTrack(
  { db, tracks, titleTimeZone, now }: Deps,
  eventId: string,
  { userId, startSec }: SimulatedRunner,
  startsMs: number,
): Promise<string> {
  const scope = wholeEvent(eventId)
  const fields = {
    device_track_id: `rehearsal-${userId}`,
    user_id: userId,
    start_ts: formatDateTime(startsMs + startSec * 1000),
  }
  return await inTransaction(db, async (transaction) => {
    const { row } = await tracks.create(transaction, scope, ({ time_zone }) => ({
      row: newTrackRow(fields, { scope, nowMs: now(), titleTimeZone: time_zone ?? titleTimeZone, state: 'running' }),
    }))
    return row.id
  })
}
