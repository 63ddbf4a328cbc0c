import { encodeEvents } from '#platform/http/streams/encode-events.ts'
import type { EventStream } from '#platform/http/streams/event-stream.ts'
import type { LiveEnded, LivePoints } from '../schemas/live.ts'
import type { TrackRow } from '../storage/tables.ts'

/** A client that watches an event. */
export type Viewer = {
  stream: EventStream
  /** Time up to which the viewer had every change when its connection broke; undefined for a new viewer. */
  sinceMs: number | undefined
  /** The one track to send; undefined for all tracks of the event. */
  trackId: string | undefined
  /** Represents a track as this viewer may see it. */
  show(row: TrackRow): object
  /**
   * The share that gives access; `endedBy` returns why it no longer does. It is asked every few seconds, once for all
   * viewers with the same key.
   */
  pass?: { key: string; endedBy(): Promise<LiveEnded['reason'] | undefined> }
}

/** A message to viewers. */
export type LiveMessage =
  | { event: 'track'; row: TrackRow }
  | { event: 'points'; points: LivePoints }
  | { event: 'track-deleted'; id: string }

/**
 * Sends each viewer the messages about tracks that it watches. The last message carries the time up to which delivery
 * is complete (Last-Event-ID). Viewers with the same view share one encoding: a large event has thousands of them.
 */
export function broadcast(
  viewers: Iterable<Viewer>,
  messages: readonly LiveMessage[],
  clockMs: number | undefined,
): void {
  if (messages.length === 0) return
  for (const alike of groupAlike(viewers)) {
    const events = eventsFor(alike[0], messages, clockMs)
    if (events.length === 0) continue
    const encoded = encodeEvents(events)
    for (const { stream } of alike) stream.send(encoded)
  }
}

/** Returns the rows of all tracks in messages. */
export function rowsOf(messages: readonly LiveMessage[]): TrackRow[] {
  return messages.flatMap((message) => (message.event === 'track' ? [message.row] : []))
}

/** Groups viewers that get identical messages. */
function groupAlike(viewers: Iterable<Viewer>): Viewer[][] {
  const byShow = new Map<Viewer['show'], Map<string | undefined, Viewer[]>>()
  for (const viewer of viewers) {
    const byTrack = byShow.get(viewer.show) ?? new Map<string | undefined, Viewer[]>()
    const alike = byTrack.get(viewer.trackId) ?? []
    alike.push(viewer)
    byTrack.set(viewer.trackId, alike)
    byShow.set(viewer.show, byTrack)
  }
  return [...byShow.values()].flatMap((byTrack) => [...byTrack.values()])
}

function eventsFor(viewer: Viewer, messages: readonly LiveMessage[], clockMs: number | undefined) {
  const relevant = messages.filter((message) => viewer.trackId === undefined || trackOf(message) === viewer.trackId)
  return relevant.map((message, i) => {
    const isLast = i === relevant.length - 1
    const id = isLast && clockMs !== undefined ? { id: String(clockMs) } : {}
    return { ...id, event: message.event, data: dataOf(viewer, message) }
  })
}

function trackOf(message: LiveMessage): string {
  if (message.event === 'track') return message.row.id
  return message.event === 'points' ? message.points.track_id : message.id
}

function dataOf(viewer: Viewer, message: LiveMessage): object {
  if (message.event === 'track') return viewer.show(message.row)
  return message.event === 'points' ? message.points : { id: message.id }
}
