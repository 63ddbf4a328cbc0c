import type { Kysely } from 'kysely'
import { formatDateTime } from '#platform/basics/time.ts'
import { type EncodedEvents, type EventStream, encodeEvents } from '#platform/http/event-stream.ts'
import type { MainThreadShare } from '#platform/jobs/main-thread-time.ts'
import type { Pass, PassEnd } from '../api/doors.ts'
import type { TrackRow, TracksTables } from '../model/tables.ts'
import { eventExists } from '../points/storage/track-changes.ts'
import type { LiveAsOf, LiveEnded, LivePoints } from './schemas.ts'

/** The part of an event that a viewer sees. Viewers with the same view get the same bytes. */
export type View = Pick<Viewer, 'trackId' | 'show'>

/** A stream and the pass that gives access to it; without one, access lasts as long as the event. */
export type Admitted = {
  stream: EventStream
  /**
   * `endedBy` returns why the share no longer gives access, or `changed` if the viewer has to come again to see its new
   * extent. It is asked every few seconds, once for all viewers with the same key.
   */
  pass?: Pick<Pass, 'key' | 'endedBy'> | undefined
}

/** A client that watches an event. */
export type Viewer = Admitted & {
  /** Time up to which the viewer had every change when its connection broke; undefined for a new viewer. */
  sinceMs: number | undefined
  /** The one track to send; undefined for all tracks of the event. */
  trackId: string | undefined
  /** Represents a track as this viewer may see it; `batteryPercent` is the charge of its phone, null if unknown. */
  show(row: TrackRow, batteryPercent: number | null): object
}

/** A message to viewers. */
export type LiveMessage =
  | { event: 'track'; row: TrackRow; batteryPercent: number | null }
  | { event: 'points'; points: LivePoints }
  | { event: 'track-deleted'; id: string }

/** Sends encoded events to viewers. */
export type Deliver = (viewers: readonly Viewer[], events: EncodedEvents) => Promise<void>

/**
 * Sends each viewer the messages about tracks that it watches. The last message carries the time up to which delivery
 * is complete (Last-Event-ID). Viewers with the same view share one encoding: a large event has thousands of them.
 */
export async function broadcast(
  viewers: Iterable<Viewer>,
  messages: readonly LiveMessage[],
  clockMs: number | undefined,
  deliver: Deliver,
): Promise<void> {
  if (messages.length === 0) return
  for (const alike of groupAlike(viewers)) {
    const encoded = encodeMessages(alike[0], messages, clockMs)
    if (encoded !== undefined) await deliver(alike, encoded)
  }
}

/** Encodes the messages that a viewer gets; undefined if there are none. */
export function encodeMessages(
  view: View,
  messages: readonly LiveMessage[],
  clockMs: number | undefined,
): EncodedEvents | undefined {
  const events = eventsFor(view, messages, clockMs)
  return events.length === 0 ? undefined : encodeEvents(events)
}

/** Encodes how current a viewer is once it has everything before: the state of `asOfMs`, sent at `nowMs`. */
export function encodeAsOf(asOfMs: number, nowMs: number, delaySec: number): EncodedEvents {
  return encodeEvents([{ event: 'as-of', data: asOf(asOfMs, nowMs, delaySec) }])
}

/** Represents how current a viewer is. */
export function asOf(asOfMs: number, nowMs: number, delaySec: number): LiveAsOf {
  return { as_of: formatDateTime(asOfMs), lag_ms: Math.max(0, nowMs - asOfMs), delay_sec: delaySec }
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

function eventsFor(viewer: View, messages: readonly LiveMessage[], clockMs: number | undefined) {
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

function dataOf(viewer: View, message: LiveMessage): object {
  if (message.event === 'track') return viewer.show(message.row, message.batteryPercent)
  return message.event === 'points' ? message.points : { id: message.id }
}

/**
 * Time for a viewer to read the part of a snapshot that waits for it, a few hundred kilobytes: 10 kB per second. One
 * that reads more slowly would hold the memory of the snapshot. A snapshot as a whole has no time limit: a large event
 * takes minutes on a busy machine, and a viewer that is sent away before its end begins anew.
 */
const PART_TIME_LIMIT_MS = 60_000

/**
 * Sends a viewer the parts of a snapshot, each once it has read most of the earlier ones, and ends the stream of a
 * viewer that stops reading.
 * @returns false if the viewer has left
 */
export async function sendParts(
  stream: EventStream,
  parts: readonly EncodedEvents[],
  share: Pick<MainThreadShare, 'forEach'>,
): Promise<boolean> {
  for (const part of parts) {
    if (stream.closed.aborted) return false
    await share.forEach([part], (events) => stream.send(events))
    const drained = stream.drained()
    if (drained !== undefined) await inTime(stream, drained)
  }
  return !stream.closed.aborted
}

async function inTime(stream: EventStream, drained: Promise<void>): Promise<void> {
  // The viewer reconnects.
  const tooSlow = setTimeout(() => stream.end(), PART_TIME_LIMIT_MS).unref()
  await drained
  clearTimeout(tooSlow)
}

/** Interval at which the access of viewers is checked: another instance may have ended the event or a share. */
export const CHECK_INTERVAL_MS = 5000

/** Ends the streams of viewers that lost access. Viewers with the same pass are asked for once. */
export async function endRefused(
  db: Kysely<TracksTables>,
  eventId: string,
  viewers: readonly Admitted[],
): Promise<void> {
  const hasEvent = await eventExists(db, eventId)
  const asked = new Map<string, Promise<PassEnd | undefined>>()
  for (const { stream, pass } of viewers) {
    if (pass !== undefined && !asked.has(pass.key)) asked.set(pass.key, pass.endedBy())
    const reason = hasEvent ? await asked.get(pass?.key ?? '') : 'deleted'
    if (reason === undefined || stream.closed.aborted) continue
    if (reason !== 'changed') stream.send({ event: 'ended', data: { reason } satisfies LiveEnded })
    stream.end()
  }
}
