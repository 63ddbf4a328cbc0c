import { randomUUID } from 'node:crypto'
import Type from 'typebox'
import type { FieldError } from '#platform/errors.ts'
import type { HttpServer } from '#platform/http/http-server.ts'
import { ruledTogether } from '#platform/http/problems/field-rules.ts'
import { parseDateTime } from '#platform/time/date-time.ts'
import { newToken, sealToken, tokenHash } from '#platform/tokens/token.ts'
import { defaultShareEndMs } from '../../domain/share-lifetime.ts'
import { eventNotFound, trackNotFound } from '../../errors.ts'
import { type ShareJsonDeps, shareJson } from '../../representations/share-json.ts'
import { EventParams } from '../../schemas/addresses.ts'
import { Share, ShareCreate } from '../../schemas/shares.ts'
import type { EventsStore } from '../../storage/events-store.ts'
import type { SharesStore } from '../../storage/shares-store.ts'
import { wholeEvent } from '../../storage/track-scope.ts'
import type { TracksStore } from '../../storage/tracks-store.ts'

const TOKEN_PREFIX = 'shr'

type Deps = ShareJsonDeps & {
  events: Pick<EventsStore, 'find'>
  tracks: Pick<TracksStore, 'get'>
  shares: Pick<SharesStore, 'create'>
  now: () => number
}

/** POST /operator/events/:id/shares */
export function createShare(app: HttpServer, deps: Deps) {
  const { events, tracks, shares, tokenKeys, now } = deps
  app.post(
    '/operator/events/:id/shares',
    {
      config: { operator: { role: 'editor', effect: 'publishes' } },
      schema: {
        operationId: 'operatorCreateShare',
        summary: 'Share an event or a track with spectators',
        description:
          'Creates a link that shows the event or track live to everyone who has it, until it expires or is revoked. It expires by default; a share without an end needs `never_expires`. It reveals neither users nor devices.',
        tags: ['Operator'],
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
      const event = await events.find(params.id)
      if (event === undefined) throw eventNotFound()
      const defaultEndMs = body.never_expires === true ? null : defaultShareEndMs(event.ends_on, now())
      const track =
        typeof body.track_id === 'string' ? await tracks.get(wholeEvent(params.id), body.track_id) : undefined
      const token = newToken(TOKEN_PREFIX)
      const share = {
        id: randomUUID(),
        event_id: params.id,
        track_id: track?.id ?? null,
        label: body.label ?? null,
        token_sha256: tokenHash(token),
        sealed: sealToken(token, tokenKeys),
        created_at: now(),
        expires_at: timeOf(body.expires_at) ?? defaultEndMs,
        revoked_at: null,
      }
      await shares.create(share)
      return reply.code(201).send(shareJson({ ...share, track_title: track?.title ?? null }, deps))
    },
  )
}

/** Refuses an end that has passed, and one beside `never_expires`. */
function expiryProblems({ expires_at, never_expires }: Record<string, unknown>, nowMs: number): FieldError[] {
  const endMs = timeOf(expires_at)
  if (endMs === undefined) return []
  if (never_expires === true) return [{ path: 'expires_at', message: 'must be absent with never_expires' }]
  return endMs <= nowMs ? [{ path: 'expires_at', message: 'must be in the future' }] : []
}

function timeOf(value: unknown): number | undefined {
  return typeof value === 'string' ? parseDateTime(value)?.timeMs : undefined
}
