import type { EventStream } from '#platform/http/event-stream.ts'
import type { LiveEnded, LivePoints } from '../operator-schemas.ts'
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

/** Tells a viewer what it is for; the last one says up to when the viewer knows all (Last-Event-ID). */
export function tell(viewer: Viewer, messages: readonly LiveMessage[], clockMs: number | undefined): void {
  const meant = messages.filter((message) => viewer.trackId === undefined || trackOf(message) === viewer.trackId)
  for (const [i, message] of meant.entries()) {
    const isLast = i === meant.length - 1
    const id = isLast && clockMs !== undefined ? { id: String(clockMs) } : {}
    viewer.stream.send({ ...id, event: message.event, data: dataOf(viewer, message) })
  }
}

function trackOf(message: LiveMessage): string {
  if (message.event === 'track') return message.row.id
  return message.event === 'points' ? message.points.track_id : message.id
}

function dataOf(viewer: Viewer, message: LiveMessage): object {
  if (message.event === 'track') return viewer.show(message.row)
  return message.event === 'points' ? message.points : { id: message.id }
}
