import type { FastifyRequest } from 'fastify'
import type { HttpServer } from '#platform/http/http-server.ts'
import { webhookRoutes } from '#platform/webhooks/routes/webhook-routes.ts'
import type { WebhookRouteDeps } from '#platform/webhooks/routes/webhook-scope.ts'
import { eventNotFound } from '../errors.ts'
import { EventParams } from '../schemas/addresses.ts'
import type { EventsStore } from '../storage/events-store.ts'

type Deps = { webhookRouteDeps: WebhookRouteDeps }

/** Registers the webhooks of a token's event, below /webhooks. */
export function webhooksApi(app: HttpServer, { webhookRouteDeps }: Deps): void {
  const scope = {
    path: '/webhooks',
    ownerParams: {},
    ownerOf: ({ appToken }: FastifyRequest) => appToken.eventId,
    problems: [],
    schema: { tags: ['Webhooks'], permission: 'manage' },
    operationId: (name: string) => name,
  }
  webhookRoutes(app, scope, webhookRouteDeps)
}

/** Registers the webhooks of any event for operators, below /operator/events/:id/webhooks. */
export function operatorWebhooksApi(
  app: HttpServer,
  { webhookRouteDeps, events }: Deps & { events: Pick<EventsStore, 'find'> },
): void {
  const scope = {
    path: '/operator/events/:id/webhooks',
    ownerParams: EventParams.properties,
    async ownerOf({ params }: { params: unknown }) {
      const { id } = params as { id: string }
      if ((await events.find(id)) === undefined) throw eventNotFound()
      return id
    },
    problems: [eventNotFound],
    schema: { tags: ['Operator'] },
    operationId: (name: string) => `operator${name[0].toUpperCase()}${name.slice(1)}`,
  }
  webhookRoutes(app, scope, webhookRouteDeps)
}
