import Type from 'typebox'
import { describeMessages } from '#platform/webhooks/schemas/describe-messages.ts'
import { webhookSchemas } from '#platform/webhooks/schemas/webhook-schemas.ts'
import { PUBLICATION_EVENTS } from '../domain/publication-event.ts'
import { Publication } from '../schemas/publication.ts'

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
