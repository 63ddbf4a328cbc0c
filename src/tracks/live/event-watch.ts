import { setTimeout as wait } from 'node:timers/promises'
import type { Kysely } from 'kysely'
import { PollLoop } from '#platform/live/poll-loop.ts'
import type { Logger } from '#platform/logger.ts'
import type { RefreshStatistics } from '../computing/refresh-statistics.ts'
import type { LiveEnded } from '../schemas/live.ts'
import type { TracksTables } from '../storage/tables.ts'
import { type ChangeQuery, eventExists, findChanged } from '../storage/track-changes.ts'
import { catchUp, type InTurn, OVERLAP_MS, type Snapshot, sendSnapshot } from './send-snapshot.ts'
import { deletionMessages, type SentTrack, trackMessages } from './track-messages.ts'
import { broadcast, type LiveMessage, rowsOf, type Viewer } from './viewer.ts'

/** Interval at which the database is polled for changes. */
const POLL_INTERVAL_MS = 1000
/** Polling takes a limited share of the time, so an event of very many tracks is polled less often, at least this often. */
const MAX_POLL_INTERVAL_MS = 10_000
/** Every poll covers the tracks that started within this time. Older ones are covered every `FULL_SCAN_INTERVAL_MS`. */
const RECENT_MS = 7 * 86_400_000
const FULL_SCAN_INTERVAL_MS = 30_000
/** Interval at which the access of viewers is checked: another instance may have ended the event or a share. */
const CHECK_INTERVAL_MS = 5000
/** Total time that one poll waits for slow readers, so that a large batch does not overflow their buffers. */
const MAX_WAIT_MS = 5000

type Options = {
  db: Kysely<TracksTables>
  logger: Logger
  eventId: string
  now: () => number
  /** Computes outdated statistics in time for the next poll. */
  refreshStatistics: RefreshStatistics
  /** Called when the last viewer has left. */
  onEnd: () => void
}

/**
 * Sends the viewers of an event on this instance what changes in it. It polls the database once a second for all of
 * them, and not at all while nobody watches. Recording needs no part in this, every instance sees what any of them
 * stored, and a viewer that reconnects gets what it missed from the tables themselves. Messages may be sent twice.
 */
export class EventWatch {
  readonly #options: Options
  readonly #loop: PollLoop
  readonly #viewers = new Set<Viewer>()
  readonly #joining = new Set<Viewer>()
  /** Snapshots that were sent, of viewers that are still joining. */
  readonly #snapshots: Snapshot[] = []
  #turn: Promise<unknown> = Promise.resolve()
  #sent = new Map<string, SentTrack>()
  #deleted = new Set<string>()
  #clockMs = 0
  #fullClockMs = 0
  #fullScanAtMs = 0
  #checkAtMs = 0

  constructor(options: Options) {
    this.#options = options
    this.#loop = new PollLoop({
      prepare: async () => {
        await this.#admitJoining()
        await this.#checkIfDue()
      },
      poll: async () => {
        if (this.#viewers.size > 0) await this.#poll()
      },
      isWatched: () => this.#isWatched,
      intervalMs: POLL_INTERVAL_MS,
      maxIntervalMs: MAX_POLL_INTERVAL_MS,
      onError: (err) => {
        // The next poll reaches back to where this one did.
        if (this.#isWatched) options.logger.warn({ err }, 'polling an event for changes failed')
      },
      onEnd: options.onEnd,
    })
  }

  /** Sends the viewer a snapshot, or what changed while it was away, and then what happens, until its stream ends. */
  join(viewer: Viewer): void {
    this.#joining.add(viewer)
    viewer.stream.closed.addEventListener('abort', () => this.#leave(viewer))
    if (viewer.stream.closed.aborted) this.#leave(viewer)
    else void this.#sendSnapshot(viewer)
    this.#loop.start()
  }

  /** Ends the streams of viewers that lost access, also during a poll. Viewers that are joining are checked next. */
  check(): void {
    this.#checkAtMs = 0
    this.#loop.wake()
    this.#endRefused().catch((err) => this.#options.logger.warn({ err }, 'checking the access of viewers failed'))
  }

  #leave(viewer: Viewer): void {
    this.#viewers.delete(viewer)
    this.#joining.delete(viewer)
    if (!this.#isWatched) this.#loop.wake()
  }

  get #isWatched(): boolean {
    return this.#viewers.size > 0 || this.#joining.size > 0
  }

  /** Sends one viewer a snapshot at its own pace. The others get what happens meanwhile. */
  async #sendSnapshot(viewer: Viewer): Promise<void> {
    try {
      this.#snapshots.push(await sendSnapshot(this.#options, viewer, this.#inTurn))
      this.#loop.wake()
    } catch (err) {
      if (viewer.stream.closed.aborted) return
      this.#options.logger.warn({ err }, 'sending a snapshot to a viewer failed')
      // The viewer reconnects.
      viewer.stream.end()
    }
  }

  readonly #inTurn: InTurn = (work) => {
    const done = this.#turn.then(work)
    this.#turn = done.catch(() => {})
    return done
  }

  /** Moves viewers with a snapshot to the others, between two polls, so that they miss nothing. */
  async #admitJoining(): Promise<void> {
    for (let snapshot = this.#snapshots[0]; snapshot !== undefined; snapshot = this.#snapshots[0]) {
      const { viewer } = snapshot
      if (!viewer.stream.closed.aborted) await catchUp(this.#options, snapshot)
      this.#snapshots.shift()
      this.#joining.delete(viewer)
      if (viewer.stream.closed.aborted) continue
      if (this.#viewers.size === 0) this.#beginWith(snapshot)
      this.#viewers.add(viewer)
    }
  }

  #beginWith({ clockMs, sent }: Snapshot): void {
    this.#sent = sent
    this.#deleted = new Set()
    this.#clockMs = clockMs
    this.#fullClockMs = clockMs
    this.#fullScanAtMs = performance.now() + FULL_SCAN_INTERVAL_MS
  }

  /** Sends all viewers what has changed since the last poll. */
  async #poll(): Promise<void> {
    const { db, eventId, now } = this.#options
    const isFull = performance.now() >= this.#fullScanAtMs
    const query: ChangeQuery = isFull
      ? { sinceMs: this.#fullClockMs - OVERLAP_MS }
      : { sinceMs: this.#clockMs - OVERLAP_MS, startedSinceMs: now() - RECENT_MS }
    const found = await findChanged(db, eventId, query)
    const changed = found.filter(({ id, updated_at }) => this.#sent.get(id)?.updatedAt !== updated_at)
    const allDeletions = await deletionMessages(db, eventId, this.#clockMs - OVERLAP_MS)
    const deletions = allDeletions.filter(({ id }) => !this.#deleted.has(id))
    const waitUntilMs = performance.now() + MAX_WAIT_MS
    for await (const messages of trackMessages(db, changed, this.#sent)) {
      this.#broadcast(messages)
      this.#options.refreshStatistics(rowsOf(messages))
      await this.#waitForReaders(waitUntilMs)
    }
    // Moved only now: after a failure the next poll starts where this one did.
    this.#clockMs = Math.max(this.#clockMs, found.at(-1)?.updated_at ?? 0)
    if (isFull) {
      this.#fullClockMs = this.#clockMs
      this.#fullScanAtMs = performance.now() + FULL_SCAN_INTERVAL_MS
    }
    for (const { id } of deletions) {
      this.#deleted.add(id)
      this.#sent.delete(id)
    }
    this.#broadcast(deletions)
  }

  /** Waits until slow readers have caught up, but not longer than until the given time. */
  async #waitForReaders(untilMs: number): Promise<void> {
    const leftMs = untilMs - performance.now()
    const reading = [...this.#viewers].map(({ stream }) => stream.drained()).filter((drained) => drained !== undefined)
    if (leftMs <= 0 || reading.length === 0) return
    const timeOut = new AbortController()
    const late = wait(leftMs, undefined, { signal: timeOut.signal }).catch(() => {})
    await Promise.race([Promise.all(reading), late])
    timeOut.abort()
  }

  /** Delivery is complete up to the last full scan. Some later changes may still be missing. */
  #broadcast(messages: readonly LiveMessage[]): void {
    broadcast(this.#viewers, messages, this.#fullClockMs)
  }

  async #checkIfDue(): Promise<void> {
    if (performance.now() < this.#checkAtMs) return
    this.#checkAtMs = performance.now() + CHECK_INTERVAL_MS
    await this.#endRefused()
  }

  /** Ends the streams of viewers that lost access. */
  async #endRefused(): Promise<void> {
    const hasEvent = await eventExists(this.#options.db, this.#options.eventId)
    const asked = new Map<string, Promise<LiveEnded['reason'] | undefined>>()
    for (const viewer of this.#viewers) {
      const { pass } = viewer
      if (pass !== undefined && !asked.has(pass.key)) asked.set(pass.key, pass.endedBy())
      const reason = hasEvent ? await asked.get(pass?.key ?? '') : 'deleted'
      if (reason === undefined) continue
      viewer.stream.send({ event: 'ended', data: { reason } })
      viewer.stream.end()
    }
  }
}
