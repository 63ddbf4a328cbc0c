import Type from 'typebox'
import { rateLimited, unavailable } from '#platform/basics/errors.ts'
import { openEventStream } from '#platform/http/event-stream.ts'
import type { HttpServer } from '#platform/http/http-server.ts'
import { workspaceNotFound } from '../model/errors.ts'
import { WorkspaceParams } from '../model/schemas.ts'
import type { LibraryDeps } from './library-deps.ts'
import { requireWorkspace } from './operator-workspaces-store.ts'

/** A stream ends after this time, and the page reconnects, which shows that its session is in use. */
const LIFETIME_MS = 10 * 60_000

/** GET /operator/workspaces/:id/live */
export function watchLibrary(app: HttpServer, { workspaces, libraryWatches }: LibraryDeps) {
  app.get(
    '/operator/workspaces/:id/live',
    {
      schema: {
        operationId: 'operatorWatchLibrary',
        summary: 'Watch a library',
        description: `Server-sent events: \`ready\` once the stream follows the library, so that a list read afterwards misses nothing;
\`publication\` (an entry of the list, as it is now) for each one that is new, has changed or has made progress;
\`publication-deleted\` with \`id\`, and again when it leaves the bin for good; \`ended\` when the workspace is gone. The stream ends after some minutes, and the client
reconnects.`,
        tags: ['Library'],
        params: WorkspaceParams,
        produces: ['text/event-stream'],
        response: { 200: Type.String({ description: 'A stream of events.' }) },
        problems: [workspaceNotFound, rateLimited, unavailable],
      },
    },
    async (request, reply) => {
      const { id } = await requireWorkspace(workspaces, request.params.id)
      libraryWatches.join(id, openEventStream(request, reply, { service: 'publications', subject: id }, LIFETIME_MS))
    },
  )
}
