import type { HttpServer } from '#platform/http/http-server.ts'
import { shareEnded, shareNotFound } from '../errors.ts'
import { momentOrNull } from '../representations/event-json.ts'
import { SharedParams } from '../schemas/addresses.ts'
import { SharedView } from '../schemas/shares.ts'
import { openShare, type ShareDeps } from './open-share.ts'

/** GET /shares/:token */
export function getShare(app: HttpServer, deps: ShareDeps) {
  app.get(
    '/shares/:token',
    {
      schema: {
        operationId: 'getShare',
        summary: 'Get a share',
        tags: ['Shared'],
        params: SharedParams,
        problems: [shareNotFound, shareEnded],
        response: { 200: SharedView },
      },
    },
    async ({ params }) => {
      const share = await openShare(deps, params.token)
      return {
        kind: share.track_id === null ? ('event' as const) : ('track' as const),
        title: share.track_title ?? share.event_name,
        event: { name: share.event_name, starts_on: share.starts_on, ends_on: share.ends_on },
        track_id: share.track_id,
        expires_at: momentOrNull(share.expires_at),
      }
    },
  )
}
