import type { FastifyRequest } from 'fastify'
import type { Kysely } from 'kysely'
import Type from 'typebox'
import type { HttpServer } from '#platform/http/http-server.ts'
import { createWebhooks, type WebhookSource } from '#platform/webhooks/create-webhooks.ts'
import type { MessageDraft } from '#platform/webhooks/deliver.ts'
import { webhookRoutes } from '#platform/webhooks/routes.ts'
import { describeMessages, webhookSchemas } from '#platform/webhooks/schemas.ts'
import type { Addresses } from '../model/config.ts'
import { workspaceNotFound } from '../model/errors.ts'
import { Publication } from '../model/publication-answer-schemas.ts'
import { PUBLICATION_EVENTS, type PublicationDraft, publicationJson } from '../model/publication-json.ts'
import { WorkspaceParams } from '../model/schemas.ts'
import type { PublicationsTables } from '../model/tables.ts'
import { lockWorkspace } from '../model/workspaces-store.ts'
import type { LibraryDeps } from './library-deps.ts'

/** Registers the webhooks of a key's workspace, below /publications/webhooks. */
export function webhooksApi(app: HttpServer, { webhookRouteDeps }: LibraryDeps): void {
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

/** Returns the operationId of an operation on webhooks for operators. */
export function workspaceWebhookOperation(name: string): string {
  return `operator${ofPublications(name[0].toUpperCase() + name.slice(1))}`
}

/** Registers the webhooks of any workspace for operators, below /operator/workspaces/:id/webhooks. */
export function operatorWebhooksApi(app: HttpServer, { webhookRouteDeps, workspaces }: LibraryDeps): void {
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
    operationId: workspaceWebhookOperation,
  }
  webhookRoutes(app, scope, webhookRouteDeps)
}

/** Turns `createWebhook` into `createPublicationWebhook`: names are unique over all services. */
function ofPublications(name: string): string {
  return name.replace('Webhook', 'PublicationWebhook')
}

/** Builds the webhooks of workspaces. */
export function createPublicationWebhooks(source: WebhookSource, db: Kysely<PublicationsTables>) {
  const names = { types: PUBLICATION_EVENTS, titlePrefix: 'Publication', metricsPrefix: 'publications' }
  const { webhooks, secrets, registry, logger, now } = source
  return createWebhooks({ webhooks, secrets, registry, logger, now, ...names, db, lockOwner: lockWorkspace })
}

/** Makes the data of messages about publications: the publication as its owner reads it, as the change left it. */
export function createCompletePublicationMessage({ addresses }: { addresses: Addresses }) {
  return async ({ draft }: MessageDraft): Promise<object> => {
    const { publication, ...details } = draft as PublicationDraft
    return publicationJson(publication, details, addresses, publication.updated_at)
  }
}

const { Webhook } = webhookSchemas({
  types: PUBLICATION_EVENTS,
  titlePrefix: 'Publication',
  urlProblem: () => undefined,
})

const DeletedPublication = Type.Object({ id: Publication.properties.id }, { title: 'DeletedPublication' })

/** The requests that webhooks of workspaces get, for the API description. */
export const publicationMessages = describeMessages('Publication webhooks', {
  'publication.ready': { summary: 'A publication, or a new file of it, is ready to read', data: Publication },
  'publication.failed': { summary: 'No page of the file could be rendered', data: Publication },
  'publication.unpublished': { summary: 'A publication was unpublished', data: Publication },
  'publication.deleted': { summary: 'A publication was deleted', data: DeletedPublication },
  'publication.webhook.test': { type: 'webhook.test', summary: 'A test was asked for', data: Webhook },
})
