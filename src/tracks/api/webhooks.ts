import type { FastifyRequest } from 'fastify'
import type { Kysely } from 'kysely'
import Type from 'typebox'
import { operatorOperation } from '#platform/credentials/operator-rule.ts'
import type { HttpServer } from '#platform/http/http-server.ts'
import { createWebhooks, type WebhookSource } from '#platform/webhooks/create-webhooks.ts'
import type { MessageDraft } from '#platform/webhooks/deliver.ts'
import { webhookRoutes } from '#platform/webhooks/routes.ts'
import { describeMessages, webhookSchemas } from '#platform/webhooks/schemas.ts'
import { eventNotFound, trackNotFound } from '../model/errors.ts'
import { lockEvent } from '../model/events-store.ts'
import { EventParams, trackNameField } from '../model/schema-fields.ts'
import type { TrackRow, TracksTables } from '../model/tables.ts'
import { decodePauses, TRACK_EVENTS } from '../model/track-state.ts'
import { emptyColumns } from '../points/point-columns.ts'
import { type CurrentStatistics, withoutPoints } from '../statistics/current-statistics.ts'
import { settingsOf } from '../statistics/examined-track.ts'
import { computeStatistics, type KeptStatisticsJson, type StatisticsJson } from '../statistics/statistics.ts'
import type { ApiDeps } from './deps.ts'
import { trackJson } from './track-json.ts'
import { Track } from './track-schemas.ts'

/** Registers the webhooks of a token's event, below /webhooks. */
export function webhooksApi(app: HttpServer, { webhookRouteDeps }: ApiDeps): void {
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
export function operatorWebhooksApi(app: HttpServer, { webhookRouteDeps, events }: ApiDeps): void {
  const scope = {
    path: '/operator/events/:id/webhooks',
    ownerParams: EventParams.properties,
    async ownerOf({ params }: { params: unknown }) {
      const { id } = params as { id: string }
      await events.get(id)
      return id
    },
    problems: [eventNotFound],
    schema: { tags: ['Operator'] },
    operationId: operatorOperation,
  }
  webhookRoutes(app, scope, webhookRouteDeps)
}

/** Builds the webhooks of events. */
export function createTrackWebhooks(source: WebhookSource, db: Kysely<TracksTables>) {
  const names = { types: TRACK_EVENTS, titlePrefix: '', metricsPrefix: 'tracks' }
  const { webhooks, secrets, registry, logger, now } = source
  return createWebhooks({ webhooks, secrets, registry, logger, now, ...names, db, lockOwner: lockEvent })
}

/**
 * Makes the data of messages about tracks from the row that a change left: the track as `GET` answers it, with its
 * runner's name and statistics, which are not computed within the change. Points that arrive until then are counted.
 */
export function createCompleteTrackMessage(
  nameOf: (row: TrackRow) => Promise<string>,
  currentStatistics: CurrentStatistics,
  maxAccuracyMeters: number,
) {
  return async ({ draft }: MessageDraft): Promise<object> => {
    const row = draft as TrackRow
    const track = await trackJson(row, async () => {
      if (row.point_count === 0) return { row, statistics: statisticsWithoutPoints(row) }
      const { row: read, statistics } = await currentStatistics(row, 'maintenance').catch((error) => {
        // The track was deleted meanwhile. Its points are gone, so the figures stored last are all that is known.
        if (trackNotFound.is(error)) return { row, statistics: storedStatistics(row) }
        throw error
      })
      return { row: { ...row, point_count: read.point_count }, statistics }
    })
    return { ...track, name: await nameOf(row) }
  }

  function storedStatistics(row: TrackRow): StatisticsJson {
    if (row.computed_stats === null) return statisticsWithoutPoints(row)
    const { shown: _ofShownPart, ...statistics }: KeptStatisticsJson = JSON.parse(row.computed_stats)
    return statistics
  }

  function statisticsWithoutPoints(row: TrackRow): StatisticsJson {
    const settings = settingsOf(row, maxAccuracyMeters)
    const computed = computeStatistics(emptyColumns(0), decodePauses(row.pauses), settings)
    return withoutPoints(row, computed)
  }
}

const { Webhook } = webhookSchemas({ types: TRACK_EVENTS, titlePrefix: '', urlProblem: () => undefined })

const TrackMessage = Type.Object(
  { ...Track.properties, name: trackNameField },
  { title: 'TrackMessage', description: 'The track with its statistics and the name of its runner.' },
)

const DeletedTrack = Type.Object({ id: Track.properties.id }, { title: 'DeletedTrack' })

/** The requests that webhooks of events get, for the API description. */
export const trackMessages = describeMessages('Webhooks', {
  'track.created': { summary: 'A track was created, synced or imported', data: TrackMessage },
  'track.finished': { summary: 'A track is stopped and has an end', data: TrackMessage },
  'track.reopened': { summary: 'A finished track goes on', data: TrackMessage },
  'track.deleted': { summary: 'A track was deleted', data: DeletedTrack },
  'webhook.test': { summary: 'A test was asked for', data: Webhook },
})
