import { encodeEvents } from '#platform/http/streams/encode-events.ts'
import type { EventStream } from '#platform/http/streams/event-stream.ts'
import type { LiveEnded, LivePoints } from '../schemas/live.ts'
import type { TrackRow } from '../storage/tables.ts'

/** Somebody who watches an event. */
export type Viewer = {
  stream: EventStream
  /** What the viewer had been told when the connection broke: everything that changed up to this time. */
  sinceMs: number | undefined
  /** The one track to be shown; undefined for all of the event. */
  trackId: string | undefined
  /** A track as this viewer may see it. */
  show(row: TrackRow): object
  /** By what the viewer may watch, and why no longer; asked every few seconds, once for all who have the same key. */
  pass?: { key: string; endedBy(): Promise<LiveEnded['reason'] | undefined> }
}

/** What is told to those who watch. */
export type LiveMessage =
  | { event: 'track'; row: TrackRow }
  | { event: 'points'; points: LivePoints }
  | { event: 'track-deleted'; id: string }

/**
 * Tells viewers what each is for; the last one says up to when they know all (Last-Event-ID). What several see alike is
 * encoded once: at a large event there are thousands who see the same.
 */
export function tell(viewers: Iterable<Viewer>, messages: readonly LiveMessage[], clockMs: number | undefined): void {
  if (messages.length === 0) return
  for (const alike of groupAlike(viewers)) {
    const events = eventsFor(alike[0], messages, clockMs)
    if (events.length === 0) continue
    const encoded = encodeEvents(events)
    for (const { stream } of alike) stream.send(encoded)
  }
}

/** The tracks that messages tell of. */
export function rowsOf(messages: readonly LiveMessage[]): TrackRow[] {
  return messages.flatMap((message) => (message.event === 'track' ? [message.row] : []))
}

/** Viewers who see all tracks, or the same one, in the same way. */
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
  const meant = messages.filter((message) => viewer.trackId === undefined || trackOf(message) === viewer.trackId)
  return meant.map((message, i) => {
    const isLast = i === meant.length - 1
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
