import Type from 'typebox'
import { rateLimited, unavailable } from '#platform/errors.ts'
import type { HttpServer } from '#platform/http/http-server.ts'
import { openEventStream } from '#platform/http/streams/event-stream.ts'
import { workspaceNotFound } from '../../errors.ts'
import type { LibraryWatches } from '../../live/library-watches.ts'
import { WorkspaceParams } from '../../schemas/addresses.ts'
import { type RequireWorkspaceDeps, requireWorkspace } from '../workspaces/require-workspace.ts'

/** A stream ends after this time, and the page reconnects, which shows that its session is in use. */
const LIFETIME_MS = 10 * 60_000

type Deps = RequireWorkspaceDeps & { libraryWatches: Pick<LibraryWatches, 'join'> }

/** GET /operator/workspaces/:id/live */
export function watchLibrary(app: HttpServer, deps: Deps) {
  app.get(
    '/operator/workspaces/:id/live',
    {
      config: { operator: { role: 'viewer', effect: 'reads' } },
      schema: {
        operationId: 'operatorWatchLibrary',
        summary: 'Watch a library',
        description: `Server-sent events: \`ready\` once the stream follows the library, so that a list read afterwards misses nothing;
\`publication\` (an entry of the list, as it is now) for each one that is new, has changed or has made progress;
\`publication-deleted\` with \`id\`; \`ended\` when the workspace is gone. The stream ends after some minutes, and the client
reconnects.`,
        tags: ['Library'],
        params: WorkspaceParams,
        produces: ['text/event-stream'],
        response: { 200: Type.String({ description: 'A stream of events.' }) },
        problems: [workspaceNotFound, rateLimited, unavailable],
      },
    },
    async (request, reply) => {
      const { id } = await requireWorkspace(deps, request.params.id)
      const stream = openEventStream(request, reply, { service: 'publications', subject: id })
      const timer = setTimeout(() => stream.end(), LIFETIME_MS).unref()
      stream.closed.addEventListener('abort', () => clearTimeout(timer))
      deps.libraryWatches.join(id, stream)
    },
  )
}
