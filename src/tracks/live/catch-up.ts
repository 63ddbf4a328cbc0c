import { type EncodedEvents, encodeEvents } from '#platform/http/event-stream.ts'
import type { MainThreadShare } from '#platform/jobs/main-thread-time.ts'
import type { TrackRow } from '../model/tables.ts'
import {
  type ChangedTrack,
  findActive,
  findBegun,
  findChanged,
  findPast,
  lastChange,
} from '../points/storage/track-changes.ts'
import { shownUntil } from '../shares/spectator-delay.ts'
import type { RefreshStatistics } from '../statistics/current-statistics.ts'
import type { LiveReady } from './schemas.ts'
import {
  deletionMessages,
  deletionsOfSeen,
  type MessageSource,
  newsOf,
  type SentTracks,
  type TracksToSend,
  trackMessages,
} from './track-messages.ts'
import { asOf, broadcast, encodeMessages, type View, type Viewer } from './viewer.ts'

/**
 * Sends viewers of one snapshot the changes since it was made, and `ready`. After that they can get the same messages
 * as the others. A viewer that reads too slowly holds up nobody: it gets `ready` for its snapshot, is removed from
 * `viewers`, and joins again from there. It would overflow while a large event changes faster than it reads.
 * @returns the messages sent to them
 */
export async function catchUp(
  source: SnapshotSource,
  snapshot: Snapshot,
  viewers: Set<Viewer>,
  onSlow: (viewer: Viewer, drained: Promise<void>) => void,
): Promise<SentTracks> {
  const { db, eventId, now, delaySec } = source
  const asOfMs = now()
  const untilMs = shownUntil(delaySec, asOfMs)
  const sent = new Map(snapshot.sent)
  const [{ trackId }] = viewers
  const found = await findChanged(db, eventId, { trackId, sinceMs: snapshot.clockMs - OVERLAP_MS })
  const changed = found.filter(({ id, updated_at }) => sent.get(id)?.updatedAt !== updated_at)
  const tracks = untilMs > snapshot.untilMs ? withHeld(changed, sent) : changed
  for await (const { messages } of trackMessages(source, newsOf(inOrder(tracks, delaySec), untilMs), sent)) {
    await broadcast(viewers, messages, undefined, deliver)
    if (viewers.size === 0) return sent
  }
  const deletions = await deletionMessages(db, eventId, (snapshot.sinceMs ?? snapshot.clockMs) - OVERLAP_MS)
  await broadcast(viewers, deletionsOfSeen(deletions, sent, delaySec), undefined, deliver)
  for (const [completeMs, alike] of Map.groupBy(viewers, completeOf)) {
    await deliver(alike, ready(delaySec > 0 ? untilMs : completeMs, asOfMs))
  }
  return sent

  async function deliver(some: readonly Viewer[], events: EncodedEvents): Promise<void> {
    await source.share.forEach(some, (viewer) => {
      if (!viewers.has(viewer)) return
      const drained = viewer.stream.drained()
      if (drained === undefined) viewer.stream.send(events)
      else setAside(viewer, drained)
    })
  }

  function setAside(viewer: Viewer, drained: Promise<void>): void {
    viewers.delete(viewer)
    const completeMs = completeOf(viewer)
    viewer.stream.send(ready(delaySec > 0 ? snapshot.untilMs : completeMs, snapshot.asOfMs))
    viewer.sinceMs = delaySec > 0 ? undefined : completeMs
    onSlow(viewer, drained)
  }

  /** Returns the time up to which a viewer has every change. */
  function completeOf({ sinceMs = 0 }: Viewer): number {
    return Math.max(snapshot.clockMs, sinceMs)
  }

  /** A viewer that returns knows how many tracks its first snapshot left out. */
  function ready(id: number, stateOfMs: number): EncodedEvents {
    const current = asOf(stateOfMs, now(), delaySec)
    const { sinceMs, leftOut } = snapshot
    const data: LiveReady = sinceMs === undefined ? { ...current, tracks_left_out: leftOut } : current
    return encodeEvents([{ event: 'ready', id: String(id), data }])
  }
}

/** Returns changed tracks, and tracks of which something was held back. */
function withHeld(changed: readonly ChangedTrack[], sent: SentTracks): ChangedTrack[] {
  const tracks = new Map(changed.map((track) => [track.id, track]))
  for (const [id, { awaits, updatedAt }] of sent) {
    if (awaits === 'time' && !tracks.has(id)) tracks.set(id, { id, updated_at: updatedAt })
  }
  return [...tracks.values()]
}

/** Most tracks read at once because their figures are being computed: reading them is a query a second. */
const MAX_FIGURES = 100

/** Finds the tracks of which there may be news although nothing has changed. */
export class AwaitedTracks {
  #position = 0
  #untilMs = Number.NEGATIVE_INFINITY

  /**
   * Returns the tracks to read again: all that are held back once there is more to show of them, and some that wait for
   * their figures, in turns.
   */
  next(sent: SentTracks, untilMs: number): ChangedTrack[] {
    const held: ChangedTrack[] = []
    const figures: ChangedTrack[] = []
    for (const [id, { updatedAt, awaits }] of sent) {
      if (awaits === 'time') held.push({ id, updated_at: updatedAt })
      else if (awaits === 'figures') figures.push({ id, updated_at: updatedAt })
    }
    const isLater = untilMs > this.#untilMs
    this.#untilMs = untilMs
    if (this.#position >= figures.length) this.#position = 0
    const some = figures.slice(this.#position, this.#position + MAX_FIGURES)
    this.#position += MAX_FIGURES
    return isLater ? [...held, ...some] : some
  }
}

/** Waits again for figures that a viewer lacks whose snapshot was made before the others got them. */
export function awaitAgain(sent: SentTracks, lacking: SentTracks): void {
  for (const [id, { awaits }] of lacking) {
    const state = sent.get(id)
    if (awaits === 'figures' && state !== undefined && state.awaits === undefined) {
      sent.set(id, { ...state, awaits, look: undefined })
    }
  }
}

/** The deletions that viewers were told, as long as a poll may find them again. */
export class SentDeletions {
  #told: ReadonlySet<string> = new Set()

  /** Number of deletions that are remembered. */
  get size(): number {
    return this.#told.size
  }

  /** Returns the deletions that are news. All others are forgotten: later polls begin later. */
  newsOf<Found extends { id: string }>(found: readonly Found[]): Found[] {
    const news = found.filter(({ id }) => !this.#told.has(id))
    this.#told = new Set(found.map(({ id }) => id))
    return news
  }
}

/**
 * Time that a poll reaches back before the latest change it has seen. A change gets its time from the clock of its
 * instance before it becomes visible, so it may become visible after a later one.
 */
export const OVERLAP_MS = 5000
/** Of stopped tracks that have not changed for this long, a snapshot has the summary and the end, but no line. */
const ACTIVE_MS = 3_600_000
/** The same for tracks that nobody finished. A runner may be without a signal for a night. */
const OPEN_MS = 86_400_000
/** Most tracks of the past in a snapshot, the newest: more than the runners of a large race, and a few megabytes. */
const MAX_PAST_TRACKS = 5000
/** Viewers that come within this time share a snapshot, and catch up from there. */
const SHARED_MS = 5000
/** Viewers that return share a snapshot if they left within this time. */
const SINCE_STEP_MS = 10_000

/** The tracks of an event as a viewer sees them, or the tracks changed since a time, up to `clockMs`. */
export type Snapshot = {
  sinceMs: number | undefined
  clockMs: number
  /** Time at which it was made, by the server's clock. */
  asOfMs: number
  /** Time of the latest thing that it may show. */
  untilMs: number
  /** Tracks of the past that it leaves out. */
  leftOut: number
  sent: SentTracks
  parts: readonly EncodedEvents[]
}

/** Source of snapshots, and of the later changes that viewers need. */
export type SnapshotSource = MessageSource & {
  eventId: string
  now: () => number
  /** Computes outdated statistics in time for the next poll. */
  refreshStatistics: RefreshStatistics
  /** The time of the main thread for all viewers of all events. */
  share: MainThreadShare
  /** Time by which viewers see everything later; 0 for none. */
  delaySec: number
}

type Recent = View & { sinceMs: number | undefined; madeAtMs: number; snapshot: Promise<Snapshot> }

/**
 * Makes the snapshots of an event, one at a time, and each once for all viewers with the same view who come together.
 */
export class Snapshots {
  readonly #options: SnapshotSource
  #recent: Recent[] = []
  #turn: Promise<unknown> = Promise.resolve()

  constructor(options: SnapshotSource) {
    this.#options = options
  }

  /** Returns the snapshot for a viewer: the current state, or the changes while it was away. */
  async get({ show, trackId, sinceMs: leftAtMs }: Viewer): Promise<Snapshot> {
    const sinceMs = leftAtMs === undefined ? undefined : Math.floor(leftAtMs / SINCE_STEP_MS) * SINCE_STEP_MS
    const nowMs = performance.now()
    this.#recent = this.#recent.filter(({ madeAtMs }) => nowMs - madeAtMs < SHARED_MS)
    const known = this.#recent.find(
      (recent) => recent.show === show && recent.trackId === trackId && recent.sinceMs === sinceMs,
    )
    if (known !== undefined) return await known.snapshot
    const snapshot = this.#turn.then(() => this.#make({ show, trackId }, sinceMs))
    this.#turn = snapshot.catch(() => {
      this.#recent = this.#recent.filter((recent) => recent !== made)
    })
    const made = { show, trackId, sinceMs, madeAtMs: nowMs, snapshot }
    this.#recent.push(made)
    return await snapshot
  }

  async #make(view: View, sinceMs: number | undefined): Promise<Snapshot> {
    const { db, eventId, now, refreshStatistics, share, delaySec } = this.#options
    const asOfMs = now()
    const untilMs = shownUntil(delaySec, asOfMs)
    const clockMs = await lastChange(db, eventId)
    const { leftOut, ...found } = await this.#find(view.trackId, sinceMs, { nowMs: asOfMs, untilMs })
    const sent: SentTracks = new Map()
    const parts: EncodedEvents[] = []
    let startMs = performance.now()
    for await (const { messages, rows } of trackMessages(this.#options, found, sent)) {
      const encoded = encodeMessages(view, messages, undefined)
      if (encoded !== undefined) parts.push(encoded)
      if (delaySec === 0) refreshStatistics(rows)
      await share.spend(performance.now() - startMs)
      startMs = performance.now()
    }
    return { sinceMs, clockMs, asOfMs, untilMs, leftOut, sent, parts }
  }

  /** Finds the changes while the viewer was away, or for a new viewer the whole event, the present first. */
  async #find(
    trackId: string | undefined,
    sinceMs: number | undefined,
    { nowMs, untilMs }: { nowMs: number; untilMs: number },
  ): Promise<TracksToSend & { leftOut: number }> {
    const { db, eventId, delaySec } = this.#options
    if (sinceMs !== undefined || trackId !== undefined) {
      const since = sinceMs === undefined ? undefined : sinceMs - OVERLAP_MS
      return { ...newsOf(await findChanged(db, eventId, { trackId, sinceMs: since }), untilMs), leftOut: 0 }
    }
    if (delaySec > 0) return await this.#findBegun(untilMs)
    const since = { stoppedMs: nowMs - ACTIVE_MS, openMs: nowMs - OPEN_MS }
    const active = await findActive(db, eventId, since)
    const past = await findPast(db, eventId, since, MAX_PAST_TRACKS)
    const ofPast = new Set(past.tracks.map(({ id }) => id))
    return {
      tracks: [...active, ...past.tracks],
      untilMs,
      activeCount: active.length,
      isPast: ({ id }) => ofPast.has(id),
      leftOut: past.leftOut,
    }
  }

  /** Finds the event as it was at a time. Its past depends on the shown time, too. */
  async #findBegun(untilMs: number): Promise<TracksToSend & { leftOut: number }> {
    const { db, eventId } = this.#options
    const limits = { sinceMs: untilMs - OPEN_MS, untilMs, limit: MAX_PAST_TRACKS }
    const { recent, older, leftOut } = await findBegun(db, eventId, limits)
    const isPast = ({ state, updated_at }: TrackRow) =>
      updated_at <= untilMs - (state === 'stopped' ? ACTIVE_MS : OPEN_MS)
    return { tracks: [...recent, ...older], untilMs, activeCount: recent.length, isPast, leftOut }
  }
}

/**
 * Puts tracks in an order that tells viewers with a delay nothing: not even which of them were read because they
 * changed.
 */
export function inOrder(tracks: readonly ChangedTrack[], delaySec: number): readonly ChangedTrack[] {
  return delaySec > 0 ? tracks.toSorted((a, b) => (a.id < b.id ? -1 : 1)) : tracks
}
