import type { FastifyReply, FastifyRequest } from 'fastify'
import Type from 'typebox'
import { rateLimited, unavailable } from '#platform/basics/errors.ts'
import { disconnectSignal } from '#platform/http/client.ts'
import { type EventStream, openEventStream } from '#platform/http/event-stream.ts'
import { type HttpServer, streamed } from '#platform/http/http-server.ts'
import { acceptedEncoding, sendJsonBytes } from '#platform/http/kept-text.ts'
import type { EventDoor, Pass } from '../api/doors.ts'
import { sharedTrack, trackSummary } from '../api/track-json.ts'
import { eventNotFound, shareEnded, shareNotFound } from '../model/errors.ts'
import type { TrackRow } from '../model/tables.ts'
import type { RaceDeps } from '../race/race-boards.ts'
import type { Replays } from '../statistics/kept-answers.ts'
import { EventReplay } from '../statistics/schemas.ts'
import type { EventWatches } from './event-watches.ts'
import { LiveQuery, type LiveTrack } from './schemas.ts'

type Deps = RaceDeps & { watches: EventWatches; replays: Replays }

const LIVE = {
  operator: {
    operationId: 'operatorWatchEvent',
    summary: 'Watch an event',
    description:
      'Streams server-sent events: `track` (the current state of a track), `points` (positions to add to its line), `track-deleted`, `ready` after the snapshot (with `tracks_left_out`, the number of older tracks that are not in it), `as-of` every few seconds (until when the client has every change), `ranking` where the event has a race (with `read_again`, read the whole ranking; else the entries that changed), `ended` when the event was deleted. With `Last-Event-ID`, a client that reconnects to any instance gets what changed meanwhile. Messages may be sent twice.',
    problems: [eventNotFound, rateLimited, unavailable],
  },
  spectator: {
    operationId: 'watchShare',
    summary: 'Watch a share',
    description:
      'Streams server-sent events: `track`, `points`, `track-deleted`, `ready` after the snapshot, `as-of` every few seconds, `ranking` where the event has a race (with `read_again`, read the whole ranking; else the entries that changed), and `ended` when the share has ended. With `Last-Event-ID` the snapshot has what changed since then; with a delay for spectators it is always whole. The `ready` of a whole snapshot has `tracks_left_out`: tracks that it does not have are gone.',
    problems: [shareNotFound, shareEnded, unavailable],
  },
}

/** Represents a track in the stream of an audience. */
const TRACK_JSON = { operator: liveTrack, spectator: sharedTrack }

/** GET …/live: a stream of the tracks and ranking of an event. */
export function watchEvent(app: HttpServer, door: EventDoor, { watches, raceBoards, now }: Deps) {
  app.get(
    `${door.path}/live`,
    {
      schema: {
        ...LIVE[door.audience],
        ...door.schema,
        querystring: LiveQuery,
        produces: ['text/event-stream'],
        response: { 200: Type.String({ description: 'A stream of events.' }) },
      },
    },
    async (request, reply) => {
      const { id, trackId, delaySec, subject, pass } = await door.open(request)
      const { stream, sinceMs } = openLiveStream(request, reply, subject)
      if (pass !== undefined) whenExpired(pass, now(), stream, () => watches.check(id))
      const { frames = 'false' } = request.query
      if (frames !== 'false') {
        const shown = frames === 'bytes' ? { trackId, hasBattery: door.audience === 'operator' } : undefined
        return watches.joinFrames(id, { stream, pass, shown }, delaySec)
      }
      const viewer = {
        stream,
        // With a delay, changes since a time would tell who goes on.
        sinceMs: delaySec > 0 ? undefined : sinceMs,
        trackId,
        show: TRACK_JSON[door.audience],
        pass,
      }
      watches.join(id, viewer, delaySec)
      raceBoards.watch(id, { stream, trackId, delaySec })
    },
  )
}

/** Represents a track on an operator's live map. Spectators do not get the charge of a phone: it is its owner's. */
function liveTrack(row: TrackRow, batteryPercent: number | null): LiveTrack {
  return { ...trackSummary(row), battery_percent: batteryPercent }
}

/** Calls back when a pass expires while one of its streams is open. */
function whenExpired({ expiresAtMs }: Pass, nowMs: number, stream: EventStream, expired: () => void): void {
  const leftMs = (expiresAtMs ?? Number.POSITIVE_INFINITY) - nowMs
  if (leftMs > LIFETIME_MS) return
  // A timer may be a moment early.
  const timer = setTimeout(expired, leftMs + 10).unref()
  stream.onClose(() => clearTimeout(timer))
}

/** Longest life of a stream. The page reconnects, which shows that its session is in use. */
const LIFETIME_MS = 10 * 60_000

const EVENT_ID = /^\d{1,15}$/

/**
 * Opens a stream of events that show `subject`, a share or an event. `sinceMs` is the time up to which the client has
 * every change; undefined for a new client.
 */
function openLiveStream(
  request: FastifyRequest,
  reply: FastifyReply,
  subject: string,
): { stream: EventStream; sinceMs: number | undefined } {
  const { last_event_id } = request.query as { last_event_id?: string }
  const lastEventId = request.headers['last-event-id'] ?? last_event_id
  const isKnown = typeof lastEventId === 'string' && EVENT_ID.test(lastEventId)
  const stream = openEventStream(request, reply, { service: 'tracks', subject }, LIFETIME_MS)
  return { stream, sinceMs: isKnown ? Number(lastEventId) : undefined }
}

const REPLAY = {
  operator: {
    operationId: 'operatorGetReplay',
    summary: 'Get the replay of an event',
    description:
      'Returns the lines of all tracks with times, reduced so that even motion between two positions is off by a few meters; by more if there are thousands of tracks. Parts that are trimmed for display are left out.',
    problems: [eventNotFound, rateLimited, unavailable],
  },
  spectator: {
    operationId: 'getSharedReplay',
    summary: 'Get the replay of a share',
    description:
      'Returns the lines of the shared tracks with times, reduced so that even motion between two positions is off by a few meters, up to the delay for spectators.',
    problems: [shareNotFound, shareEnded, unavailable],
  },
}

/** GET …/replay: the lines of all visible tracks with times. */
export function getReplay(app: HttpServer, door: EventDoor, { replays }: Deps) {
  app.get(
    `${door.path}/replay`,
    { schema: { ...REPLAY[door.audience], ...door.schema, response: { 200: streamed(EventReplay) } } },
    async (request, reply) => {
      const { id: eventId, trackId, shownUntilMs } = await door.open(request)
      const encoding = acceptedEncoding(request)
      const replay = await replays(
        { eventId, trackId, untilMs: floorToMinute(shownUntilMs) },
        { kind: door.audience, key: door.callerOf(request), encoding, left: disconnectSignal(reply) },
      )
      return sendJsonBytes(reply, replay, encoding)
    },
  )
}

/** A delayed replay is computed once a minute for all spectators. Infinity stays. */
function floorToMinute(timeMs: number): number {
  return Number.isFinite(timeMs) ? Math.floor(timeMs / 60_000) * 60_000 : timeMs
}
