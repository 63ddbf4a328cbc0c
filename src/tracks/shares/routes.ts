import { randomUUID } from 'node:crypto'
import Type from 'typebox'
import type { FieldError } from '#platform/basics/errors.ts'
import { formatDateTime, momentOf, momentOrNull } from '#platform/basics/time.ts'
import type { ProtectedResource } from '#platform/credentials/operator-rule.ts'
import { maskToken, newToken, openToken, sealToken, tokenHash } from '#platform/credentials/token.ts'
import { ruledTogether } from '#platform/http/field-rules.ts'
import { type HttpServer, noContent } from '#platform/http/http-server.ts'
import type { TrackListDoor } from '../api/list-tracks.ts'
import { DEFAULT_OPERATOR_TRACKS_PER_PAGE } from '../api/operator-track-schemas.ts'
import { sharedTrack } from '../api/track-json.ts'
import { eventNotFound, shareEnded, shareNotFound, trackNotFound } from '../model/errors.ts'
import { findTrackPage } from '../model/operator-tracks-store.ts'
import { EventParams, SharedParams, ShareParams } from '../model/schema-fields.ts'
import type { TrackRow } from '../model/tables.ts'
import { wholeEvent } from '../model/track-rows.ts'
import { type OpenShare, openShare, type ShareDeps, sharedView } from './open-share.ts'
import {
  defaultShareEndMs,
  Share,
  ShareCreate,
  SharedTrackList,
  SharedTracksQuery,
  SharedView,
  ShareList,
  SharesQuery,
} from './schemas.ts'
import type { TitledShare } from './store.ts'

const TOKEN_PREFIX = 'shr'

/** Shares as addresses for operators name them. */
export function shareThing({ shares }: ShareDeps): ProtectedResource {
  return {
    address: '/operator/shares/:id',
    ownerOf: async (id) => (await shares.find(id))?.event_id,
    notFound: shareNotFound,
  }
}

/** POST /operator/events/:id/shares */
export function createShare(app: HttpServer, deps: ShareDeps) {
  const { events, tracks, shares, tokenKeys, now } = deps
  app.post(
    '/operator/events/:id/shares',
    {
      schema: {
        operationId: 'operatorCreateShare',
        summary: 'Share an event or a track with spectators',
        description:
          'Creates a link that shows the event or track live to everyone who has it, until it expires or is revoked. It expires by default; a share without an end needs `never_expires`. It reveals neither users nor devices.',
        params: EventParams,
        body: Type.Unsafe<ShareCreate>({
          ...ShareCreate,
          ...ruledTogether((body) => expiryProblems(body, now())),
        }),
        problems: [eventNotFound, trackNotFound],
        response: { 201: Share },
      },
    },
    async ({ params, body }, reply) => {
      const event = await events.get(params.id)
      const defaultEndMs = body.never_expires === true ? null : defaultShareEndMs(event.ends_on, now())
      const track =
        typeof body.track_id === 'string' ? await tracks.get(wholeEvent(params.id), body.track_id) : undefined
      const token = newToken(TOKEN_PREFIX)
      const id = randomUUID()
      await shares.create({
        id,
        event_id: params.id,
        track_id: track?.id ?? null,
        label: body.label ?? null,
        token_sha256: tokenHash(token),
        sealed: sealToken(token, tokenKeys),
        created_at: now(),
        expires_at: momentOf(body.expires_at) ?? defaultEndMs,
        revoked_at: null,
      })
      return reply.code(201).send(shareJson((await shares.find(id))!, deps))
    },
  )
}

/** Refuses an end that has passed, and one beside `never_expires`. */
function expiryProblems({ expires_at, never_expires }: Record<string, unknown>, nowMs: number): FieldError[] {
  const endMs = momentOf(expires_at)
  if (endMs === undefined) return []
  if (never_expires === true) return [{ path: 'expires_at', message: 'must be absent with never_expires' }]
  return endMs <= nowMs ? [{ path: 'expires_at', message: 'must be in the future' }] : []
}

/** GET /operator/events/:id/shares */
export function listShares(app: HttpServer, deps: ShareDeps) {
  app.get(
    '/operator/events/:id/shares',
    {
      schema: {
        operationId: 'operatorListShares',
        summary: "List an event's shares",
        description:
          'Returns all shares, newest first, ended ones included. With `links=masked`, it does so without the links.',
        params: EventParams,
        querystring: SharesQuery,
        problems: [eventNotFound],
        response: { 200: ShareList },
      },
    },
    async (request) => {
      const { params, query } = request
      await deps.events.get(params.id)
      const isMasked = query.links === 'masked'
      if (!isMasked) await request.demandEffect('exports')
      const shares = (await deps.shares.list(params.id)).map((row) => shareJson(row, deps))
      return { shares: isMasked ? shares.map((share) => ({ ...share, url: null })) : shares }
    },
  )
}

/** DELETE /operator/shares/:id */
export function revokeShare(app: HttpServer, { shares, watches, now }: ShareDeps) {
  app.delete(
    '/operator/shares/:id',
    {
      schema: {
        operationId: 'operatorRevokeShare',
        summary: 'Revoke a share',
        description:
          'The share answers 410 from now on. Open streams end at once, on other instances within a few seconds.',
        params: ShareParams,
        problems: [shareNotFound],
        response: { 204: noContent('The share was revoked.') },
      },
    },
    async ({ params }, reply) => {
      const eventId = await shares.revoke(params.id, now())
      if (eventId === undefined) throw shareNotFound()
      watches.check(eventId)
      return reply.code(204).send()
    },
  )
}

/**
 * Represents a share for operators. The server renders its page, so the token is in the path: logs name routes instead
 * of addresses, and the page has a referrer policy that keeps it to itself.
 */
function shareJson(row: TitledShare, { tokenKeys, baseUrl }: ShareDeps): Share {
  const token = openToken(row.sealed, tokenKeys)
  return {
    id: row.id,
    track_id: row.track_id,
    track_title: row.track_title,
    label: row.label,
    masked: token === undefined ? null : maskToken(token),
    url: token === undefined ? null : `${baseUrl()}/s/${token}`,
    created_at: formatDateTime(row.created_at),
    expires_at: momentOrNull(row.expires_at),
    revoked_at: momentOrNull(row.revoked_at),
  }
}

/** GET /shares/:token */
export function getShare(app: HttpServer, deps: ShareDeps) {
  app.get(
    '/shares/:token',
    {
      schema: {
        operationId: 'getShare',
        summary: 'Get a share',
        params: SharedParams,
        problems: [shareNotFound, shareEnded],
        response: { 200: SharedView },
      },
    },
    async ({ params }) => sharedView(await openShare(deps, params.token), deps.titleTimeZone),
  )
}

/** Creates the door to lists of shared tracks. */
export function sharedTrackList(deps: ShareDeps): TrackListDoor {
  async function visible(rows: readonly TrackRow[], { shownUntilMs }: OpenShare): Promise<TrackRow[]> {
    // With a delay, the figures are those of an earlier time.
    if (!Number.isFinite(shownUntilMs)) deps.refreshStatistics(rows)
    return await deps.delayedTracks(rows, shownUntilMs)
  }

  return {
    path: '/shares/:token/tracks',
    schema: {
      operationId: 'listSharedTracks',
      summary: 'List shared tracks',
      description: 'Returns the tracks of a shared event, newest start first, or the one shared track.',
      params: SharedParams,
      querystring: SharedTracksQuery,
      problems: [shareNotFound, shareEnded],
      response: { 200: SharedTrackList },
    },
    async find({ params, query }) {
      const { ids, limit = DEFAULT_OPERATOR_TRACKS_PER_PAGE, cursor } = query as SharedTracksQuery
      const share = await openShare(deps, (params as { token: string }).token)
      if (share.track_id !== null) {
        const row = await deps.tracks.find(wholeEvent(share.event_id), share.track_id)
        return { rows: await visible(row === undefined ? [] : [row], share), nextCursor: null }
      }
      if (ids !== undefined) {
        const rows = await deps.operatorTracks.named(share.event_id, ids.split(','))
        return { rows: await visible(rows, share), nextCursor: null }
      }
      const begun = Number.isFinite(share.shownUntilMs) ? { toMs: share.shownUntilMs + 1 } : {}
      const page = { sort: 'start' as const, descending: true, limit, cursor }
      const { rows, nextCursor } = await findTrackPage(deps.operatorTracks, share.event_id, begun, page)
      return { rows: await visible(rows, share), nextCursor }
    },
    json: (rows) => rows.map(sharedTrack),
  }
}
