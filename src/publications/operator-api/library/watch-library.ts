import Type from 'typebox'
import { rateLimited, unavailable } from '#platform/errors.ts'
import type { HttpServer } from '#platform/http/http-server.ts'
import { openEventStream } from '#platform/http/streams/event-stream.ts'
import { workspaceNotFound } from '../../errors.ts'
import { WorkspaceParams } from '../../schemas/addresses.ts'
import type { OperatorDeps } from '../operator-deps.ts'
import { requireWorkspace } from '../workspaces/require-workspace.ts'

/** A stream ends after so long, and the page comes again by itself, which shows that its session is in use. */
const LIFETIME_MS = 10 * 60_000

/** GET /operator/workspaces/:id/live */
export function watchLibrary(app: HttpServer, deps: OperatorDeps) {
  app.get<{ Params: WorkspaceParams }>(
    '/operator/workspaces/:id/live',
    {
      schema: {
        operationId: 'operatorWatchLibrary',
        summary: 'Watch a library',
        description: `Server-sent events: \`ready\` once nothing will be missed any more, so that whoever comes, or comes again,
reads the list then; \`publication\` (an entry of the list, as it is now) for each that is new, has changed or has got
further; \`publication-deleted\` with \`id\`; \`ended\` when the workspace is gone. The stream ends after some minutes, for
the client to come again.`,
        tags: ['Library'],
        params: WorkspaceParams,
        produces: ['text/event-stream'],
        response: { 200: Type.String({ description: 'A stream of events.' }) },
        problems: [workspaceNotFound, rateLimited, unavailable],
      },
    },
    async (request, reply) => {
      const { id } = await requireWorkspace(deps, request.params.id)
      const stream = openEventStream(request, reply)
      const timer = setTimeout(() => stream.end(), LIFETIME_MS).unref()
      stream.closed.addEventListener('abort', () => clearTimeout(timer))
      deps.watches.join(id, stream)
    },
  )
}
