import type { Kysely } from 'kysely'
import type { EncodedEvents } from '#platform/http/streams/encode-events.ts'
import { encodeEvents } from '#platform/http/streams/encode-events.ts'
import type { MainThreadShare } from '#platform/live/main-thread-share.ts'
import type { DelayedTracks } from '../computing/delay/delayed-tracks.ts'
import type { RefreshStatistics } from '../computing/refresh-statistics.ts'
import { shownUntil } from '../domain/spectator-delay.ts'
import type { LiveReady } from '../schemas/live.ts'
import type { TracksTables } from '../storage/tables.ts'
import {
  type ChangedTrack,
  type FoundTrack,
  findActive,
  findChanged,
  findPast,
  lastChange,
} from '../storage/track-changes.ts'
import type { PastEnds } from './past-ends.ts'
import { deletionMessages, type SentTracks, trackMessages } from './track-messages.ts'
import { asOf, broadcast, type Deliver, encodeMessages, type View, type Viewer } from './viewer.ts'

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

/** The tracks of an event as a viewer sees them, or those that changed since a time, up to `clockMs`. */
export type Snapshot = {
  sinceMs: number | undefined
  clockMs: number
  /** Time of the latest thing that it may show. */
  untilMs: number
  /** Tracks of the past that it leaves out. */
  leftOut: number
  sent: SentTracks
  parts: readonly EncodedEvents[]
}

type Options = {
  db: Kysely<TracksTables>
  eventId: string
  now: () => number
  refreshStatistics: RefreshStatistics
  pastEnds: PastEnds
  share: MainThreadShare
  delayedTracks: DelayedTracks
  /** Time by which viewers see everything later; 0 for none. */
  delaySec: number
}

type Recent = View & { sinceMs: number | undefined; madeAtMs: number; snapshot: Promise<Snapshot> }

/**
 * Makes the snapshots of an event, one at a time, and each once for all viewers with the same view who come together.
 */
export class Snapshots {
  readonly #options: Options
  #recent: Recent[] = []
  #turn: Promise<unknown> = Promise.resolve()

  constructor(options: Options) {
    this.#options = options
  }

  /** Returns the snapshot for a viewer: the current state, or what changed while it was away. */
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
    const untilMs = shownUntil(delaySec, now())
    const clockMs = await lastChange(db, eventId)
    const { tracks, leftOut } = await this.#find(view.trackId, sinceMs, now())
    const sent: SentTracks = new Map()
    const parts: EncodedEvents[] = []
    let startMs = performance.now()
    for await (const { messages, rows } of trackMessages(this.#options, { tracks, untilMs }, sent)) {
      const encoded = encodeMessages(view, messages, undefined)
      if (encoded !== undefined) parts.push(encoded)
      refreshStatistics(rows)
      await share.spend(performance.now() - startMs)
      startMs = performance.now()
    }
    return { sinceMs, clockMs, untilMs, leftOut, sent, parts }
  }

  /**
   * Finds what changed while the viewer was away, or for a new viewer the whole event: what happens now comes first.
   */
  async #find(trackId: string | undefined, sinceMs: number | undefined, nowMs: number) {
    const { db, eventId } = this.#options
    if (sinceMs !== undefined || trackId !== undefined) {
      const since = sinceMs === undefined ? undefined : sinceMs - OVERLAP_MS
      // Of a viewer with a delay, the time up to which it had every change is also the time up to which it saw
      // everything.
      const orLaterThanMs = this.#options.delaySec > 0 ? sinceMs : undefined
      const tracks: FoundTrack[] = await findChanged(db, eventId, { trackId, sinceMs: since, orLaterThanMs })
      return { tracks, leftOut: 0 }
    }
    const since = { stoppedMs: nowMs - ACTIVE_MS, openMs: nowMs - OPEN_MS }
    const active = await findActive(db, eventId, since)
    const past = await findPast(db, eventId, since, MAX_PAST_TRACKS)
    return { tracks: [...active, ...past.tracks], leftOut: past.leftOut }
  }
}

/**
 * Sends viewers what changed since their snapshot was made. After that they can get the same messages as the others.
 * @returns what they were sent
 */
export async function catchUp(
  options: Options,
  { clockMs, sinceMs, untilMs: beforeMs, leftOut, sent: before }: Snapshot,
  viewers: readonly Viewer[],
  deliver: Deliver,
): Promise<SentTracks> {
  const { db, eventId, now, delaySec } = options
  const asOfMs = now()
  const untilMs = shownUntil(delaySec, asOfMs)
  const sent = new Map(before)
  const found = await findChanged(db, eventId, { trackId: viewers[0].trackId, sinceMs: clockMs - OVERLAP_MS })
  const changed = found.filter(({ id, updated_at }) => sent.get(id)?.updatedAt !== updated_at)
  const tracks = untilMs > beforeMs ? withHeld(changed, sent) : changed
  for await (const { messages } of trackMessages(options, { tracks, untilMs }, sent)) {
    await broadcast(viewers, messages, undefined, deliver)
  }
  const deletions = await deletionMessages(db, eventId, (sinceMs ?? clockMs) - OVERLAP_MS)
  await broadcast(viewers, deletions, undefined, deliver)
  for (const [id, alike] of Map.groupBy(viewers, ({ sinceMs: ownMs = 0 }) =>
    Math.min(untilMs, Math.max(clockMs, ownMs)),
  )) {
    await deliver(alike, encodeEvents([{ event: 'ready', id: String(id), data: readyData() }]))
  }
  return sent

  /** A viewer that returns knows how many tracks its first snapshot left out. */
  function readyData(): LiveReady {
    const current = asOf(asOfMs, now(), delaySec)
    return sinceMs === undefined ? { ...current, tracks_left_out: leftOut } : current
  }
}

/** Returns changed tracks with those of which something was held back. */
function withHeld(changed: readonly ChangedTrack[], sent: SentTracks): ChangedTrack[] {
  const tracks = new Map(changed.map((track) => [track.id, track]))
  for (const [id, { awaits, updatedAt }] of sent) {
    if (awaits === 'time' && !tracks.has(id)) tracks.set(id, { id, updated_at: updatedAt })
  }
  return [...tracks.values()]
}
