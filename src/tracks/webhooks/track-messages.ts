import Type from 'typebox'
import { describeMessages } from '#platform/webhooks/schemas/describe-messages.ts'
import { webhookSchemas } from '#platform/webhooks/schemas/webhook-schemas.ts'
import { TRACK_EVENTS } from '../domain/track-event.ts'
import { Track } from '../schemas/track.ts'

const { Webhook } = webhookSchemas({ types: TRACK_EVENTS, titlePrefix: '', urlProblem: () => undefined })

const DeletedTrack = Type.Object({ id: Track.properties.id }, { title: 'DeletedTrack' })

/** The requests that webhooks of events get, for the API description. */
export const trackMessages = describeMessages('Webhooks', {
  'track.created': { summary: 'A track was created, synced or imported', data: Track },
  'track.finished': { summary: 'A track is stopped and has an end', data: Track },
  'track.deleted': { summary: 'A track was deleted', data: DeletedTrack },
  'webhook.test': { summary: 'A test was asked for', data: Webhook },
})
