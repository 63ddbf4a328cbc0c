import { setTimeout as wait } from 'node:timers/promises'
import type { Kysely } from 'kysely'
import type { Logger } from '#platform/logger.ts'
import type { RefreshStatistics } from '../computing/refresh-statistics.ts'
import type { LiveEnded } from '../schemas/live.ts'
import type { TracksTables } from '../storage/tables.ts'
import { type ChangeQuery, eventExists, findChanged } from '../storage/track-changes.ts'
import { catchUp, type Greeted, greetViewer, type InTurn, OVERLAP_MS } from './send-snapshot.ts'
import { deletionMessages, type ToldTrack, trackMessages } from './track-messages.ts'
import { type LiveMessage, rowsOf, tell, type Viewer } from './viewer.ts'

/** How often the database is asked what has changed. */
const LOOK_EVERY_MS = 1000
/** Looking takes this share of the time at most: an event of very many tracks is looked at less often. */
const REST_PER_LOOK = 20
const MAX_REST_MS = 10_000
/** Tracks that start within this are looked at every time, older ones every `LOOK_AT_ALL_EVERY_MS`. */
const RECENT_MS = 7 * 86_400_000
const LOOK_AT_ALL_EVERY_MS = 30_000
/** How often it is asked whether the event and the shares still are, which another instance may have ended. */
const CHECK_EVERY_MS = 5000
/** How long a look waits in all for those who read slowly, so that much at once is not too much for them. */
const MAX_WAIT_MS = 5000

type Options = {
  db: Kysely<TracksTables>
  logger: Logger
  eventId: string
  now: () => number
  /** So that the next look has them. */
  refreshStatistics: RefreshStatistics
  /** Nobody watches any more. */
  onEmpty: () => void
}

/**
 * Tells those who watch an event on this instance what changes in it. It looks into the database once a second for all
 * of them, and not at all while nobody watches: recording knows nothing of it, every instance sees what any of them
 * stored, and who was away is told what changed meanwhile from the tables themselves. What is told may be told twice.
 */
export class EventWatch {
  readonly #options: Options
  readonly #viewers = new Set<Viewer>()
  readonly #joining = new Set<Viewer>()
  /** Those who know what is, and are not yet among the viewers. */
  readonly #greeted: Greeted[] = []
  #turn: Promise<unknown> = Promise.resolve()
  #told = new Map<string, ToldTrack>()
  #gone = new Set<string>()
  #clockMs = 0
  #fullClockMs = 0
  #fullLookAtMs = 0
  #checkAtMs = 0
  #wake = () => {}
  #isCalled = false
  #isRunning = false

  constructor(options: Options) {
    this.#options = options
  }

  /** Tells the viewer first what is, or what changed since it was away, and then what happens, until its stream ends. */
  join(viewer: Viewer): void {
    this.#joining.add(viewer)
    viewer.stream.closed.addEventListener('abort', () => this.#leave(viewer))
    if (viewer.stream.closed.aborted) this.#leave(viewer)
    else void this.#greet(viewer)
    if (!this.#isRunning) void this.#run()
  }

  /** Asks at once whether the event and the shares still are, also while a look goes on; who is just joining comes next. */
  check(): void {
    this.#checkAtMs = 0
    this.#isCalled = true
    this.#wake()
    this.#endRefused().catch((err) => this.#options.logger.warn({ err }, 'asking who may still watch failed'))
  }

  #leave(viewer: Viewer): void {
    this.#viewers.delete(viewer)
    this.#joining.delete(viewer)
    this.#wake()
  }

  get #isWatched(): boolean {
    return this.#viewers.size > 0 || this.#joining.size > 0
  }

  async #run(): Promise<void> {
    this.#isRunning = true
    while (this.#isWatched) {
      this.#isCalled = false
      let lookMs = 0
      try {
        await this.#welcomeAll()
        await this.#check()
        const startMs = performance.now()
        if (this.#viewers.size > 0) await this.#look()
        lookMs = performance.now() - startMs
      } catch (err) {
        // The next look reaches back to where this one did.
        if (this.#isWatched) this.#options.logger.warn({ err }, 'looking for what changed failed')
      }
      await this.#rest(Math.min(MAX_REST_MS, Math.max(LOOK_EVERY_MS, REST_PER_LOOK * lookMs)))
    }
    this.#isRunning = false
    this.#options.onEmpty()
  }

  /** Until it is time, somebody comes, or all have left. */
  async #rest(durationMs: number): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>()
    const timer = setTimeout(resolve, durationMs)
    this.#wake = () => {
      if (this.#isCalled || !this.#isWatched) resolve()
    }
    this.#wake()
    await promise
    clearTimeout(timer)
  }

  /** Tells one viewer what is, in its own time; the others are told what happens meanwhile. */
  async #greet(viewer: Viewer): Promise<void> {
    try {
      this.#greeted.push(await greetViewer(this.#options, viewer, this.#inTurn))
      this.#isCalled = true
      this.#wake()
    } catch (err) {
      if (viewer.stream.closed.aborted) return
      this.#options.logger.warn({ err }, 'a viewer could not be told what is')
      // It comes again by itself.
      viewer.stream.end()
    }
  }

  readonly #inTurn: InTurn = (work) => {
    const done = this.#turn.then(work)
    this.#turn = done.catch(() => {})
    return done
  }

  /** Puts those who know what is among the others, between two looks, so that they miss none. */
  async #welcomeAll(): Promise<void> {
    for (let greeted = this.#greeted[0]; greeted !== undefined; greeted = this.#greeted[0]) {
      const { viewer } = greeted
      if (!viewer.stream.closed.aborted) await catchUp(this.#options, greeted)
      this.#greeted.shift()
      this.#joining.delete(viewer)
      if (viewer.stream.closed.aborted) continue
      if (this.#viewers.size === 0) this.#begin(greeted)
      this.#viewers.add(viewer)
    }
  }

  #begin({ clockMs, told }: Greeted): void {
    this.#told = told
    this.#gone = new Set()
    this.#clockMs = clockMs
    this.#fullClockMs = clockMs
    this.#fullLookAtMs = performance.now() + LOOK_AT_ALL_EVERY_MS
  }

  /** Tells everybody what has changed since the last time. */
  async #look(): Promise<void> {
    const { db, eventId, now } = this.#options
    const isFull = performance.now() >= this.#fullLookAtMs
    const query: ChangeQuery = isFull
      ? { sinceMs: this.#fullClockMs - OVERLAP_MS }
      : { sinceMs: this.#clockMs - OVERLAP_MS, startedSinceMs: now() - RECENT_MS }
    const seen = await findChanged(db, eventId, query)
    const changed = seen.filter(({ id, updated_at }) => this.#told.get(id)?.updatedAt !== updated_at)
    const allDeletions = await deletionMessages(db, eventId, this.#clockMs - OVERLAP_MS)
    const deletions = allDeletions.filter(({ id }) => !this.#gone.has(id))
    const waitUntilMs = performance.now() + MAX_WAIT_MS
    for await (const messages of trackMessages(db, changed, this.#told)) {
      this.#tellAll(messages)
      this.#options.refreshStatistics(rowsOf(messages))
      await this.#letRead(waitUntilMs)
    }
    // Only now: a look that fails half-way is made again from where it began.
    this.#clockMs = Math.max(this.#clockMs, seen.at(-1)?.updated_at ?? 0)
    if (isFull) {
      this.#fullClockMs = this.#clockMs
      this.#fullLookAtMs = performance.now() + LOOK_AT_ALL_EVERY_MS
    }
    for (const { id } of deletions) {
      this.#gone.add(id)
      this.#told.delete(id)
    }
    this.#tellAll(deletions)
  }

  /** Waits for those who have much to read, but not longer than until then. */
  async #letRead(untilMs: number): Promise<void> {
    const leftMs = untilMs - performance.now()
    const reading = [...this.#viewers].map(({ stream }) => stream.drained()).filter((drained) => drained !== undefined)
    if (leftMs <= 0 || reading.length === 0) return
    const timeOut = new AbortController()
    const late = wait(leftMs, undefined, { signal: timeOut.signal }).catch(() => {})
    await Promise.race([Promise.all(reading), late])
    timeOut.abort()
  }

  /** Up to the last full look everything is told surely; of what came later a part may be still to come. */
  #tellAll(messages: readonly LiveMessage[]): void {
    tell(this.#viewers, messages, this.#fullClockMs)
  }

  async #check(): Promise<void> {
    if (performance.now() < this.#checkAtMs) return
    this.#checkAtMs = performance.now() + CHECK_EVERY_MS
    await this.#endRefused()
  }

  /** Ends the streams of those who may watch no longer. */
  async #endRefused(): Promise<void> {
    const isThere = await eventExists(this.#options.db, this.#options.eventId)
    const asked = new Map<string, Promise<LiveEnded['reason'] | undefined>>()
    for (const viewer of this.#viewers) {
      const { pass } = viewer
      if (pass !== undefined && !asked.has(pass.key)) asked.set(pass.key, pass.endedBy())
      const reason = isThere ? await asked.get(pass?.key ?? '') : 'deleted'
      if (reason === undefined) continue
      viewer.stream.send({ event: 'ended', data: { reason } })
      viewer.stream.end()
    }
  }
}
