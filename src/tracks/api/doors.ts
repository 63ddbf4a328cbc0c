import type { FastifyReply, FastifyRequest } from 'fastify'
import type { TSchema } from 'typebox'
import { requireCredential } from '#platform/credentials/authentication.ts'
import type { ProtectedResource } from '#platform/credentials/operator-rule.ts'
import { MAX_TOKEN_LENGTH } from '#platform/http/client.ts'
import type { HttpServer } from '#platform/http/http-server.ts'
import { sendProblem } from '#platform/http/problem.ts'
import { RateLimit } from '#platform/http/rate-limit.ts'
import {
  eventNotFound,
  permissionMissing,
  tokenInvalid,
  tokenMissing,
  trackDamaged,
  trackNotFound,
} from '../model/errors.ts'
import { PERMISSIONS } from '../model/event-rules.ts'
import type { OperatorTracksStore } from '../model/operator-tracks-store.ts'
import { EventParams } from '../model/schema-fields.ts'
import type { TrackRow } from '../model/tables.ts'
import { wholeEvent } from '../model/track-rows.ts'
import type { TrackChanges } from '../model/tracks-store.ts'
import { isChunkDamaged } from '../points/chunks/bytes.ts'
import { damageOfTrack } from '../points/storage/damage.ts'
import type { ApiDeps } from './deps.ts'
import type { OpenedAppToken } from './event-tokens.ts'
import { OperatorTrack } from './operator-track-schemas.ts'
import { operatorTrackJson, trackJson } from './track-json.ts'
import { Track, TrackParams } from './track-schemas.ts'

// An operation is written once. Its audiences are doors: each has an address, checks who comes in, and says what the
// audience may see. Texts and problems of an operation are listed by audience beside its route.

/** Programs with an app token, signed-in operators, and spectators with a share link. */
type Audience = 'app' | 'operator' | 'spectator'

/** The reason why a stream of a share ends: the share has ended, or shows something else from now on. */
export type PassEnd = 'deleted' | 'expired' | 'revoked' | 'changed'

/** Temporary access to an event. */
export type Pass = {
  /** The same for all viewers whose access ends together. */
  key: string
  expiresAtMs: number | null
  /** Returns why access has ended; undefined while it lasts. */
  endedBy(): Promise<PassEnd | undefined>
}

/** An event as an audience may see it. */
export type OpenedEvent = {
  id: string
  name: string
  /** The only visible track; undefined for all tracks of the event. */
  trackId: string | undefined
  /** Delay of live data. */
  delaySec: number
  /** Nothing later than this may leave the server; Infinity without a delay. */
  shownUntilMs: number
  /** Id of the event or share, which tells streams apart in logs. */
  subject: string
  /** Undefined for access without an end. */
  pass: Pass | undefined
}

type Door<Opened, Who extends Audience> = {
  audience: Who
  /** Address of the event or track. */
  path: string
  schema: { tags?: string[]; params: TSchema }
  /** Returns the view of the audience. Throws if the request may not come in. */
  open(request: FastifyRequest): Promise<Opened>
  /** Identifies the client for limits on computations and files. */
  callerOf(request: FastifyRequest): string
}

/** A door to events. */
export type EventDoor = Door<OpenedEvent, 'operator' | 'spectator'>

/** A door to views of tracks: lines, splits and raw points. */
export type TrackViewDoor = Door<TrackRow, 'operator' | 'spectator'>

/** A door to tracks that can be changed. */
export type TrackDoor = Door<TrackRow, 'app' | 'operator'> & {
  response: TSchema
  /** Changes a locked track. @throws trackNotFound */
  change(request: FastifyRequest, decide: (row: TrackRow) => TrackChanges | undefined): Promise<TrackRow>
  /** @throws trackNotFound */
  delete(request: FastifyRequest): Promise<void>
  /** Represents a track with its current statistics, unless the client leaves first. */
  json(row: TrackRow, left: AbortSignal): Promise<object>
}

const idOf = ({ params }: FastifyRequest) => (params as { id: string }).id

/** Creates the door for apps, by their token. */
export function appTrackDoor({ tracks, currentStatistics }: ApiDeps): TrackDoor {
  return {
    audience: 'app',
    path: '/tracks/:id',
    schema: { tags: ['Tracks'], params: TrackParams },
    response: Track,
    callerOf: ({ appToken }) => appToken.eventId,
    open: (request) => tracks.get(request.appToken, idOf(request)),
    change: (request, decide) => tracks.change(request.appToken, idOf(request), decide),
    delete: (request) => tracks.delete(request.appToken, idOf(request)),
    json: (row, left) => trackJson(row, (found) => currentStatistics(found, 'phone', left)),
  }
}

const OF_OPERATORS = {
  audience: 'operator',
  callerOf: (request: FastifyRequest) => request.operatorId,
} as const

/** Events as addresses for operators name them. */
export const eventThing: ProtectedResource = {
  address: '/operator/events/:id',
  ownerOf: (id) => id,
  notFound: eventNotFound,
}

/** Creates the door to events for signed-in operators, whose guard has checked the access already. */
export function operatorEventDoor({ events }: ApiDeps): EventDoor {
  return {
    ...OF_OPERATORS,
    path: '/operator/events/:id',
    schema: { params: EventParams },
    async open(request) {
      const event = await events.get(idOf(request))
      const { id, name } = event
      const shownUntilMs = Number.POSITIVE_INFINITY
      return { id, name, trackId: undefined, delaySec: 0, shownUntilMs, subject: id, pass: undefined }
    },
  }
}

/** A track with the name and the time zone of its event. */
type OperatorTrackRow = NonNullable<Awaited<ReturnType<OperatorTracksStore['find']>>>

/** Creates the door to tracks for signed-in operators. It goes on with the row that the guard has read. */
export function operatorTrackDoor(deps: ApiDeps) {
  const { tracks, operatorTracks, watches, bin } = deps
  const rows = new WeakMap<FastifyRequest, OperatorTrackRow>()

  async function open(request: FastifyRequest): Promise<OperatorTrackRow> {
    const row = rows.get(request) ?? (await operatorTracks.find(idOf(request)))
    if (row === undefined) throw trackNotFound()
    rows.set(request, row)
    return row
  }

  return {
    ...OF_OPERATORS,
    path: '/operator/tracks/:id',
    schema: { params: TrackParams },
    response: OperatorTrack,
    open,
    thing: {
      address: '/operator/tracks/:id',
      async ownerOf(id, request) {
        const row = await operatorTracks.find(id)
        if (row !== undefined) rows.set(request, row)
        return row?.event_id
      },
      notFound: trackNotFound,
    },
    async change(request, decide) {
      const row = await open(request)
      return { ...row, ...(await tracks.change(wholeEvent(row.event_id), row.id, decide)) }
    },
    async delete(request) {
      const { id, event_id } = await open(request)
      await tracks.delete(wholeEvent(event_id), id, { toBin: bin.binDays > 0 })
      watches.check(event_id)
    },
    json: (row, left) => operatorTrackJson(deps, row as OperatorTrackRow, left),
  } satisfies TrackDoor & TrackViewDoor & { thing: ProtectedResource }
}

declare module 'fastify' {
  interface FastifyRequest {
    /** The event or the person whose tracks the app token opens, and its permissions. Set before any route runs. */
    appToken: OpenedAppToken
  }
}

/** Before the token is read. */
const NO_TOKEN = null as unknown as OpenedAppToken

/**
 * Requires an app token for every request in this scope. Failed attempts are limited by address. Valid requests are
 * limited by token and address, so that the phones of an event behind one address share their allowance with nobody
 * else. `name` tells the limits of several scopes apart.
 */
export function requireAppToken(
  app: HttpServer,
  { tokens, rateLimit, limitExchange }: ApiDeps,
  name = 'app tokens',
): void {
  const limit = (of: string) => new RateLimit(rateLimit, { shared: limitExchange?.share(of, rateLimit) })
  app.decorateRequest('appToken', NO_TOKEN)
  requireCredential(app, {
    find: tokens,
    kind: 'app_token',
    permissions: PERMISSIONS,
    problems: { missing: tokenMissing, invalid: tokenInvalid, denied: permissionMissing },
    tokenElsewhere: addressToken,
    limits: rateLimit > 0 ? { failures: limit(`failed ${name}`), requests: limit(name) } : undefined,
    open(request, opened) {
      request.appToken = opened
      return { kind: 'event', id: opened.eventId }
    },
    permissionsOf: ({ appToken }) => appToken.permissions,
  })
}

/**
 * Returns the token in the address of a route that has one: the common apps of phones can set an address and no header.
 */
function addressToken({ params }: FastifyRequest): string | undefined {
  const { token } = (params ?? {}) as { token?: string }
  return token === undefined || token.length > MAX_TOKEN_LENGTH ? undefined : token
}

/** Routes that are about one track, whose id is a parameter. */
const OF_ONE_TRACK = /\/tracks\/:id(?:\/|$)/

/**
 * Answers `trackDamaged` where a chunk of a track cannot be read, and names the points. Spectators do not get to know
 * them: where they see a track later or in part, the times would say more.
 */
export function tellDamage(app: HttpServer, { db }: ApiDeps, to: 'owners' | 'spectators'): void {
  app.addHook('onRoute', (route) => {
    const readsTrack = OF_ONE_TRACK.test(route.url) || /\/tracks\/:trackId\//.test(route.url)
    if (readsTrack) route.schema = { ...route.schema, problems: [...(route.schema?.problems ?? []), trackDamaged] }
  })

  async function problemOf(error: unknown, request: FastifyRequest): Promise<unknown> {
    if (!isChunkDamaged(error)) return error
    const { id } = request.params as { id?: string }
    const isKnown = to === 'owners' && id !== undefined && OF_ONE_TRACK.test(request.routeOptions.url ?? '')
    if (!isKnown) return trackDamaged({ cause: error })
    return await damageOfTrack(db, id, error)
  }

  app.setErrorHandler(async (error, request: FastifyRequest, reply: FastifyReply) =>
    sendProblem(await problemOf(error, request).catch(() => error), request, reply),
  )
}
