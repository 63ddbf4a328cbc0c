import Type from 'typebox'
import { formatDateTime } from '#platform/basics/time.ts'
import type { ProtectedResource } from '#platform/credentials/operator-rule.ts'
import { announceEndedTokens } from '#platform/credentials/token.ts'
import { type HttpServer, noContent } from '#platform/http/http-server.ts'
import { binnedThingNotFound, deviceTrackIdTaken, tracksQuotaReached } from '../model/errors.ts'
import { beginDeletingTracks } from '../model/events-store.ts'
import { trackName } from '../model/runner-names.ts'
import { EVENT_ID, EventParams, moment } from '../model/schema-fields.ts'
import type { TrackHeadRow } from '../model/tables.ts'
import type { ApiDeps } from './deps.ts'
import { TrackParams } from './track-schemas.ts'

const binned = {
  deleted_at: moment('Time of the deletion.'),
  gone_at: moment('Time from which it cannot be restored.'),
}

const Bin = Type.Object(
  {
    days: Type.Integer({
      description: 'Days for which deleted things can be restored (`BIN_DAYS`); 0 for no bin.',
      examples: [7],
    }),
    events: Type.Array(
      Type.Object(
        {
          id: Type.String({ examples: [EVENT_ID] }),
          name: Type.String({ description: 'Name of the event.', examples: ['Trail 2026'] }),
          ...binned,
        },
        { title: 'BinnedEvent' },
      ),
      { description: 'Events, with all their tracks; latest deletion first.' },
    ),
    tracks: Type.Array(
      Type.Object(
        {
          id: Type.String({ examples: ['0d4c2c77-5f86-4f0c-a7f0-0a5b6b3c4d21'] }),
          name: Type.String({ description: "The runner's name, else the title.", examples: ['117 · Anna Martin'] }),
          event_id: Type.String({ examples: [EVENT_ID] }),
          event_name: Type.String({ description: 'Name of the event.', examples: ['Trail 2026'] }),
          start_ts: moment('Start of the track.'),
          points_count: Type.Integer({ description: 'Number of its points.', examples: [10_412] }),
          ...binned,
        },
        { title: 'BinnedTrack' },
      ),
      { description: 'The latest 500 tracks of events that are not in the bin themselves; latest deletion first.' },
    ),
  },
  { title: 'Bin' },
)

/** GET /operator/bin */
export function getBin(app: HttpServer, { bin }: ApiDeps) {
  app.get(
    '/operator/bin',
    {
      schema: {
        operationId: 'operatorGetBin',
        summary: 'List deleted events and tracks',
        description: 'Returns the events and tracks that operators have deleted, as long as they can be restored.',
        response: { 200: Bin },
      },
    },
    async ({ operatorAccess: { reach } }) => {
      const times = (binnedAtMs: number) => ({
        deleted_at: formatDateTime(binnedAtMs),
        gone_at: formatDateTime(bin.forGoodAtMs(binnedAtMs)),
      })
      const [events, tracks] = [await bin.events(reach), await bin.tracks(reach)]
      return {
        days: bin.binDays,
        events: events.map(({ id, name, binned_at }) => ({ id, name, ...times(binned_at!) })),
        tracks: tracks.map(({ track_id, event_id, event_name, runner_name, binned_at, row }) => {
          const { title, start_ms, point_count } = JSON.parse(row) as TrackHeadRow
          const name = trackName({ title, runner_name })
          const facts = { start_ts: formatDateTime(start_ms), points_count: point_count }
          return { id: track_id, name, event_id, event_name, ...facts, ...times(binned_at) }
        }),
      }
    },
  )
}

/** The things of the bin as addresses for operators name them. */
export function binThings({ bin }: ApiDeps): ProtectedResource[] {
  return [
    { address: '/operator/bin/events/:id', ownerOf: (id) => id, notFound: binnedThingNotFound },
    {
      address: '/operator/bin/tracks/:id',
      ownerOf: async (id) => (await bin.findTrack(id))?.event_id,
      notFound: binnedThingNotFound,
    },
  ]
}

/** POST /operator/bin/events/:id/restore */
export function restoreEvent(app: HttpServer, { bin, database, limits }: ApiDeps) {
  app.post(
    '/operator/bin/events/:id/restore',
    {
      schema: {
        operationId: 'operatorRestoreEvent',
        summary: 'Restore an event',
        description: 'Takes an event out of the bin, with its tracks. Its tokens and shares are valid again.',
        params: EventParams,
        problems: [binnedThingNotFound],
        response: { 204: noContent('The event is there again.') },
      },
    },
    async ({ params }, reply) => {
      await bin.restoreEvent(params.id)
      await announceEndedTokens(database.notices, params.id)
      await limits.refresh()
      return reply.code(204).send()
    },
  )
}

/** DELETE /operator/bin/events/:id */
export function eraseEvent(app: HttpServer, deps: ApiDeps) {
  app.delete(
    '/operator/bin/events/:id',
    {
      schema: {
        operationId: 'operatorDeleteBinnedEvent',
        summary: 'Delete an event of the bin for good',
        description: 'Deletes an event with its tracks for good. Its points are removed within the next minutes.',
        params: EventParams,
        problems: [binnedThingNotFound],
        response: { 204: noContent('The event cannot be restored any more.') },
      },
    },
    async ({ params }, reply) => {
      await deps.bin.endEvent(params.id)
      beginDeletingTracks(deps, params.id)
      return reply.code(204).send()
    },
  )
}

/** POST /operator/bin/tracks/:id/restore */
export function restoreTrack(app: HttpServer, { bin, events, tracks, watches }: ApiDeps) {
  app.post(
    '/operator/bin/tracks/:id/restore',
    {
      schema: {
        operationId: 'operatorRestoreTrack',
        summary: 'Restore a track',
        description:
          'Takes a track out of the bin, with its points and shares. Webhooks are told of it as of a new track. 409 if another track has its `device_track_id` by now.',
        params: TrackParams,
        problems: [binnedThingNotFound, tracksQuotaReached, deviceTrackIdTaken],
        response: { 204: noContent('The track is there again.') },
      },
    },
    async ({ params }, reply) => {
      const found = await bin.findTrack(params.id)
      // The track of an event in the bin comes back with the event.
      if (found === undefined || (await events.find(found.event_id)) === undefined) throw binnedThingNotFound()
      await tracks.restore(params.id)
      watches.check(found.event_id)
      return reply.code(204).send()
    },
  )
}

/** DELETE /operator/bin/tracks/:id */
export function eraseTrack(app: HttpServer, { bin }: ApiDeps) {
  app.delete(
    '/operator/bin/tracks/:id',
    {
      schema: {
        operationId: 'operatorDeleteBinnedTrack',
        summary: 'Delete a track of the bin for good',
        params: TrackParams,
        problems: [binnedThingNotFound],
        response: { 204: noContent('The track cannot be restored any more.') },
      },
    },
    async ({ params }, reply) => {
      await bin.removeTrack(params.id)
      return reply.code(204).send()
    },
  )
}
