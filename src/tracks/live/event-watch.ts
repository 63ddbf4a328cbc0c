import type { Logger } from '#platform/basics/logger.ts'
import { PollLoop } from '#platform/jobs/poll-loop.ts'
import { type ChangeQuery, findChanged } from '../points/storage/track-changes.ts'
import { shownUntil } from '../shares/spectator-delay.ts'
import {
  AwaitedTracks,
  awaitAgain,
  catchUp,
  inOrder,
  OVERLAP_MS,
  SentDeletions,
  type Snapshot,
  type SnapshotSource,
  Snapshots,
} from './catch-up.ts'
import { deletionMessages, deletionsOfSeen, newsOf, type SentTracks, trackMessages } from './track-messages.ts'
import {
  broadcast,
  CHECK_INTERVAL_MS,
  type Deliver,
  encodeAsOf,
  endRefused,
  type LiveMessage,
  sendParts,
  type Viewer,
} from './viewer.ts'

/** Interval at which the database is polled for changes. */
const POLL_INTERVAL_MS = 1000
/** An event of very many tracks is polled less often: queries take at most half of the time, up to this interval. */
const REST_PER_QUERY = 1
const MAX_POLL_INTERVAL_MS = 5000
/** Every poll covers the tracks that started within this time. Older ones are covered every `FULL_SCAN_INTERVAL_MS`. */
const RECENT_MS = 7 * 86_400_000
const FULL_SCAN_INTERVAL_MS = 30_000
/** Interval at which viewers are told how current they are. Pages show an age from 10 s. */
const AS_OF_INTERVAL_MS = 3000

export type WatchOptions = SnapshotSource & {
  logger: Logger
  /** Called when the last viewer has left. */
  onEnd: () => void
}

/**
 * Sends the viewers of an event on this instance its changes. It polls the database once a second for all of them, and
 * not at all while nobody watches. Recording needs no part in this, every instance sees points stored by any other, and
 * a viewer that reconnects gets missed changes from the tables themselves. Messages may be sent twice. A viewer that
 * reads too slowly is skipped, and gets the newest state once it has caught up.
 */
export class EventWatch {
  readonly #options: WatchOptions
  readonly #loop: PollLoop
  readonly #viewers = new Set<Viewer>()
  readonly #joining = new Set<Viewer>()
  readonly #snapshots: Snapshots
  /** Viewers that have read their snapshot, and are still joining. */
  readonly #ready = new Map<Viewer, Snapshot>()
  readonly #awaited = new AwaitedTracks()
  #sent: SentTracks = new Map()
  #deletions = new SentDeletions()
  #clockMs = 0
  #fullClockMs = 0
  #fullScanAtMs = 0
  #checkAtMs = 0
  #asOfAtMs = 0

  constructor(options: WatchOptions) {
    this.#options = options
    this.#snapshots = new Snapshots(options)
    this.#loop = new PollLoop({
      prepare: async () => {
        await this.#admitJoining()
        await this.#checkIfDue()
      },
      poll: async () => (this.#viewers.size > 0 ? await this.#poll() : 0),
      isWatched: () => this.#isWatched,
      intervalMs: POLL_INTERVAL_MS,
      restPerPoll: REST_PER_QUERY,
      maxIntervalMs: MAX_POLL_INTERVAL_MS,
      onError: (err) => {
        // The next poll reaches back to where this one did.
        if (this.#isWatched) options.logger.warn({ err }, 'polling an event for changes failed')
      },
      onEnd: options.onEnd,
    })
  }

  /** Sends the viewer a snapshot, or the changes while it was away, and then new ones, until its stream ends. */
  join(viewer: Viewer): void {
    this.#joining.add(viewer)
    viewer.stream.closed.addEventListener('abort', () => this.#leave(viewer))
    if (viewer.stream.closed.aborted) this.#leave(viewer)
    else void this.#sendSnapshot(viewer)
    this.#loop.start()
  }

  /** Returns how far the viewers are behind, beyond their delay. */
  get lagMs(): number {
    return this.#loop.lagMs
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
    this.#ready.delete(viewer)
    if (!this.#isWatched) this.#loop.wake()
  }

  get #isWatched(): boolean {
    return this.#viewers.size > 0 || this.#joining.size > 0
  }

  /** Sends one viewer a snapshot at its own pace. The others get changes meanwhile. */
  async #sendSnapshot(viewer: Viewer): Promise<void> {
    const { stream } = viewer
    if (stream.closed.aborted) return
    try {
      const snapshot = await this.#snapshots.get(viewer)
      if (!(await sendParts(stream, snapshot.parts, this.#options.share))) return
      this.#ready.set(viewer, snapshot)
      this.#loop.wake()
    } catch (err) {
      if (stream.closed.aborted) return
      this.#options.logger.warn({ err }, 'sending a snapshot to a viewer failed')
      // The viewer reconnects.
      stream.end()
    }
  }

  /**
   * Moves viewers with a snapshot to the others, between two polls, so that they miss nothing. Polls wait for viewers
   * in the middle of a snapshot, but not for long: in an event that changes faster than some can read, they join all
   * the time.
   */
  async #admitJoining(): Promise<void> {
    const untilMs = performance.now() + MAX_POLL_INTERVAL_MS
    while (this.#ready.size > 0 && performance.now() < untilMs) {
      for (const [snapshot, ready] of Map.groupBy(this.#ready, ([, snapshot]) => snapshot)) {
        await this.#admit(snapshot, new Set(ready.map(([viewer]) => viewer)))
      }
    }
  }

  async #admit(snapshot: Snapshot, viewers: Set<Viewer>): Promise<void> {
    const sent = await catchUp(this.#options, snapshot, viewers, (viewer, drained) => {
      this.#ready.delete(viewer)
      this.#joinAgain(viewer, drained)
    })
    if (viewers.size === 0) return
    if (this.#viewers.size === 0) this.#beginWith(snapshot.clockMs, sent)
    else awaitAgain(this.#sent, sent)
    for (const viewer of viewers) {
      this.#ready.delete(viewer)
      this.#joining.delete(viewer)
      if (!viewer.stream.closed.aborted) this.#viewers.add(viewer)
    }
  }

  #beginWith(clockMs: number, sent: SentTracks): void {
    this.#sent = sent
    this.#deletions = new SentDeletions()
    this.#clockMs = clockMs
    this.#fullClockMs = clockMs
    this.#fullScanAtMs = performance.now() + FULL_SCAN_INTERVAL_MS
    this.#asOfAtMs = performance.now() + AS_OF_INTERVAL_MS
  }

  /**
   * Sends all viewers the changes since the last poll.
   * @returns the milliseconds that queries took
   */
  async #poll(): Promise<number> {
    const { db, eventId, now, share, delaySec } = this.#options
    const asOfMs = now()
    const untilMs = shownUntil(delaySec, asOfMs)
    let startMs = performance.now()
    let queriesMs = 0
    const isFull = performance.now() >= this.#fullScanAtMs
    const query: ChangeQuery = isFull
      ? { sinceMs: this.#fullClockMs - OVERLAP_MS }
      : { sinceMs: this.#clockMs - OVERLAP_MS, startedSinceMs: now() - RECENT_MS }
    const found = await findChanged(db, eventId, query)
    const changed = found.filter(({ id, updated_at }) => this.#sent.get(id)?.updatedAt !== updated_at)
    const isChanged = new Set(changed.map(({ id }) => id))
    const awaited = this.#awaited.next(this.#sent, untilMs).filter(({ id }) => !isChanged.has(id))
    const tracks = inOrder([...changed, ...awaited], delaySec)
    const deletions = await deletionMessages(db, eventId, this.#clockMs - OVERLAP_MS)
    for await (const { messages, rows } of trackMessages(this.#options, newsOf(tracks, untilMs), this.#sent)) {
      const batchMs = performance.now() - startMs
      queriesMs += batchMs
      await share.spend(batchMs)
      await this.#broadcast(messages)
      if (delaySec === 0) this.#options.refreshStatistics(rows)
      startMs = performance.now()
    }
    queriesMs += performance.now() - startMs
    // Moved only now: after a failure the next poll starts where this one did.
    this.#clockMs = Math.max(this.#clockMs, found.at(-1)?.updated_at ?? 0)
    if (isFull) {
      this.#fullClockMs = this.#clockMs
      this.#fullScanAtMs = performance.now() + FULL_SCAN_INTERVAL_MS
    }
    const newDeletions = deletionsOfSeen(this.#deletions.newsOf(deletions), this.#sent, delaySec)
    for (const { id } of deletions) this.#sent.delete(id)
    await this.#broadcast(newDeletions)
    if (performance.now() >= this.#asOfAtMs) {
      this.#asOfAtMs = performance.now() + AS_OF_INTERVAL_MS
      await this.#deliver([...this.#viewers], encodeAsOf(asOfMs, now(), delaySec))
    }
    return queriesMs
  }

  async #broadcast(messages: readonly LiveMessage[]): Promise<void> {
    await broadcast(this.#viewers, messages, this.#completeMs, this.#deliver)
  }

  /**
   * Delivery is complete up to the last full scan. Some later changes may still be missing. Undefined with a delay:
   * the time of the latest change would tell that somebody goes on, and who comes again gets the whole snapshot.
   */
  get #completeMs(): number | undefined {
    return this.#options.delaySec > 0 ? undefined : this.#fullClockMs
  }

  /** Sends events to viewers who have read enough of the earlier ones, and skips the others. */
  readonly #deliver: Deliver = async (viewers, events) => {
    await this.#options.share.forEach(viewers, (viewer) => {
      if (!this.#viewers.has(viewer)) return
      const drained = viewer.stream.drained()
      if (drained === undefined) viewer.stream.send(events)
      else this.#skip(viewer, drained)
    })
  }

  #skip(viewer: Viewer, drained: Promise<void>): void {
    viewer.sinceMs = this.#completeMs
    this.#viewers.delete(viewer)
    this.#joining.add(viewer)
    this.#joinAgain(viewer, drained)
  }

  /** Sends a viewer the news once it has read the earlier messages. */
  readonly #joinAgain = (viewer: Viewer, drained: Promise<void>): void => {
    void drained.then(() => this.#sendSnapshot(viewer))
  }

  async #checkIfDue(): Promise<void> {
    if (performance.now() < this.#checkAtMs) return
    this.#checkAtMs = performance.now() + CHECK_INTERVAL_MS
    await this.#endRefused()
  }

  /** Ends the streams of viewers that lost access. */
  async #endRefused(): Promise<void> {
    await endRefused(this.#options.db, this.#options.eventId, [...this.#viewers, ...this.#joining])
  }
}
