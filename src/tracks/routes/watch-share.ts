import Type from 'typebox'
import type { HttpServer } from '#platform/http/http-server.ts'
import { tokenHash } from '#platform/security/tokens.ts'
import { shareEnded, shareNotFound } from '../errors.ts'
import { openLiveStream } from '../live/open-live-stream.ts'
import { openShare, shareEndedBy } from '../open-share.ts'
import type { OperatorDeps } from '../operator-deps.ts'
import { LiveQuery, SharedParams } from '../operator-schemas.ts'
import { sharedTrack } from '../track-summary.ts'

/** GET /shares/:token/live */
export function watchShare(app: HttpServer, deps: OperatorDeps) {
  app.get<{ Params: { token: string }; Querystring: LiveQuery }>(
    '/shares/:token/live',
    {
      schema: {
        operationId: 'watchShare',
        summary: 'Watch what is shared',
        description:
          'Server-sent events: `track`, `points`, `track-deleted`, `ready` once all that was before is told, and `ended` when the address no longer opens anything.',
        tags: ['Shared'],
        params: SharedParams,
        querystring: LiveQuery,
        produces: ['text/event-stream'],
        response: { 200: Type.String({ description: 'A stream of events.' }) },
        problems: [shareNotFound, shareEnded],
      },
    },
    async (request, reply) => {
      const { token } = request.params
      const share = await openShare(deps, token)
      const { stream, sinceMs } = openLiveStream(request, reply)
      deps.watches.join(share.event_id, {
        stream,
        sinceMs,
        trackId: share.track_id ?? undefined,
        show: sharedTrack,
        pass: { key: tokenHash(token), endedBy: () => shareEndedBy(deps, token) },
      })
    },
  )
}
