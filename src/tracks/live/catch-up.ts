import { type EncodedEvents, encodeEvents } from '#platform/http/event-stream.ts'
import { type ChangedTrack, findChanged } from '../points/storage/track-changes.ts'
import { shownUntil } from '../shares/spectator-delay.ts'
import type { LiveReady } from './schemas.ts'
import { inOrder, OVERLAP_MS, type Snapshot, type SnapshotSource } from './snapshots.ts'
import { deletionMessages, deletionsOfSeen, newsOf, type SentTracks, trackMessages } from './track-messages.ts'
import { asOf, broadcast, type Viewer } from './viewer.ts'

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
