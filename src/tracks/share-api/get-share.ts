import type { HttpServer } from '#platform/http/http-server.ts'
import { shareEnded, shareNotFound } from '../errors.ts'
import { sharedView } from '../representations/shared-view.ts'
import { SharedParams } from '../schemas/addresses.ts'
import { SharedView } from '../schemas/shares.ts'
import { openShare, type ShareDeps } from './open-share.ts'

type Deps = ShareDeps & { titleTimeZone: string }

/** GET /shares/:token */
export function getShare(app: HttpServer, deps: Deps) {
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
    async ({ params }) => sharedView(await openShare(deps, params.token), deps.titleTimeZone),
  )
}
