import type { FastifyRequest } from 'fastify'
import type { HttpServer } from '#platform/http/http-server.ts'
import { webhookRoutes } from '#platform/webhooks/routes/webhook-routes.ts'
import type { WebhookRouteDeps } from '#platform/webhooks/routes/webhook-scope.ts'
import { workspaceNotFound } from '../errors.ts'
import { WorkspaceParams } from '../schemas/addresses.ts'
import type { WorkspacesStore } from '../storage/workspaces-store.ts'

type Deps = { webhookRouteDeps: WebhookRouteDeps }

/** Registers the webhooks of a key's workspace, below /publications/webhooks. */
export function webhooksApi(app: HttpServer, { webhookRouteDeps }: Deps): void {
  const scope = {
    path: '/publications/webhooks',
    ownerParams: {},
    ownerOf: ({ workspaceId }: FastifyRequest) => workspaceId,
    problems: [],
    schema: { tags: ['Publication webhooks'], permission: 'publish' },
    operationId: ofPublications,
  }
  webhookRoutes(app, scope, webhookRouteDeps)
}

/** Registers the webhooks of any workspace for operators, below /operator/workspaces/:id/webhooks. */
export function operatorWebhooksApi(
  app: HttpServer,
  { webhookRouteDeps, workspaces }: Deps & { workspaces: Pick<WorkspacesStore, 'find'> },
): void {
  const scope = {
    path: '/operator/workspaces/:id/webhooks',
    ownerParams: WorkspaceParams.properties,
    async ownerOf({ params }: { params: unknown }) {
      const { id } = params as WorkspaceParams
      if ((await workspaces.find(id)) === undefined) throw workspaceNotFound()
      return id
    },
    problems: [workspaceNotFound],
    schema: { tags: ['Workspaces'] },
    operationId: (name: string) => `operator${ofPublications(name[0].toUpperCase() + name.slice(1))}`,
  }
  webhookRoutes(app, scope, webhookRouteDeps)
}

/** Turns `createWebhook` into `createPublicationWebhook`: names are unique over all services. */
function ofPublications(name: string): string {
  return name.replace('Webhook', 'PublicationWebhook')
}
