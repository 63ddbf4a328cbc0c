import Type from 'typebox'
import { formatDateTime } from '#platform/basics/time.ts'
import { type HttpServer, noContent } from '#platform/http/http-server.ts'
import { binnedPublicationNotFound, publicationsQuotaReached, workspaceNotFound } from '../model/errors.ts'
import { count, moment, PublicationParams, SLUG, WorkspaceParams } from '../model/schemas.ts'
import type { LibraryDeps } from './library-deps.ts'
import { forWorkspace } from './operator-workspaces-store.ts'

const PublicationBin = Type.Object(
  {
    days: Type.Integer({
      description: 'Days for which deleted publications can be restored (`BIN_DAYS`); 0 for no bin.',
      examples: [7],
    }),
    publications: Type.Array(
      Type.Object(
        {
          id: Type.String({ format: 'uuid', examples: ['0b51a2de-6f0c-4f2b-9f0e-5f6c8d1e2a77'] }),
          title: Type.String({ examples: ['Annual Report 2026'] }),
          slug: Type.String({ examples: [SLUG] }),
          page_count: count('Number of its pages.', 12),
          deleted_at: moment('Time of the deletion.'),
          gone_at: moment('Time from which it cannot be restored.'),
        },
        { title: 'BinnedPublication' },
      ),
      { description: 'The latest 500; latest deletion first.' },
    ),
  },
  { title: 'PublicationBin' },
)

/** Registers the bin of a workspace: listed, restored from, and emptied. */
export function binRoutes(app: HttpServer, deps: LibraryDeps): void {
  for (const route of [listBinned, restorePublication, erasePublication]) route(app, deps)
}

/** GET /operator/workspaces/:id/bin */
function listBinned(app: HttpServer, { bin, workspaces }: LibraryDeps) {
  app.get(
    '/operator/workspaces/:id/bin',
    {
      schema: {
        operationId: 'operatorListBinnedPublications',
        summary: 'List the deleted publications of a workspace',
        description: 'Returns publications that operators have deleted, as long as they can be restored.',
        tags: ['Library'],
        params: WorkspaceParams,
        problems: [workspaceNotFound],
        response: { 200: PublicationBin },
      },
    },
    async ({ params: { id } }) => {
      const found = await forWorkspace(workspaces, id, () => bin.list(id))
      const publications = found.map(({ id, title, slug, page_count, binned_at }) => ({
        ...{ id, title, slug, page_count },
        deleted_at: formatDateTime(binned_at),
        gone_at: formatDateTime(bin.forGoodAtMs(binned_at)),
      }))
      return { days: bin.binDays, publications }
    },
  )
}

/** POST /operator/bin/publications/:id/restore */
function restorePublication(app: HttpServer, { bin, renderQueue }: LibraryDeps) {
  app.post(
    '/operator/bin/publications/:id/restore',
    {
      schema: {
        operationId: 'operatorRestorePublication',
        summary: 'Restore a publication',
        description:
          'Takes a publication out of the bin as it was: its addresses, reader links and figures are there again, and its rendering goes on. Webhooks are told of it as of a new one.',
        tags: ['Library'],
        params: PublicationParams,
        problems: [binnedPublicationNotFound, publicationsQuotaReached],
        response: { 204: noContent('The publication is there again.') },
      },
    },
    async ({ params }, reply) => {
      await bin.restore(params.id)
      renderQueue.wake()
      return reply.code(204).send()
    },
  )
}

/** DELETE /operator/bin/publications/:id */
function erasePublication(app: HttpServer, { bin, deletionWorker }: LibraryDeps) {
  app.delete(
    '/operator/bin/publications/:id',
    {
      schema: {
        operationId: 'operatorDeleteBinnedPublication',
        summary: 'Delete a publication of the bin for good',
        description: 'Its files are removed within the next minutes. Only the same workspace can use its slugs again.',
        tags: ['Library'],
        params: PublicationParams,
        problems: [binnedPublicationNotFound],
        response: { 204: noContent('The publication cannot be restored any more.') },
      },
    },
    async ({ params }, reply) => {
      await bin.end(params.id)
      deletionWorker.wake()
      return reply.code(204).send()
    },
  )
}
