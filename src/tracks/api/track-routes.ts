import { disconnectSignal } from '#platform/http/client.ts'
import { type HttpServer, noContent } from '#platform/http/http-server.ts'
import { pausesQuotaReached, trackNotFound } from '../model/errors.ts'
import { finishChange, reopenChange } from '../model/track-state.ts'
import type { ApiDeps } from './deps.ts'
import type { TrackDoor } from './doors.ts'

const GET = {
  app: {
    operationId: 'getTrack',
    description: 'Returns the track with its statistics, computed from all points stored so far.',
    permission: 'read',
  },
  operator: {
    operationId: 'operatorGetTrack',
    description: 'Returns the track as the app gets it, with its pauses and the provenance of its statistics.',
  },
}

/** GET /tracks/:id, GET /operator/tracks/:id */
export function getTrack(app: HttpServer, door: TrackDoor) {
  app.get(
    door.path,
    {
      schema: {
        summary: 'Get a track',
        ...GET[door.audience],
        ...door.schema,
        problems: [trackNotFound],
        response: { 200: door.response },
      },
    },
    async (request, reply) => await door.json(await door.open(request), disconnectSignal(reply)),
  )
}

const FINISH = {
  app: {
    operationId: 'finishTrack',
    description:
      'Stops the track, sets its end if it has none, and returns it with its statistics. Finishing again has no effect.',
    permission: 'record',
    problems: [trackNotFound],
  },
  operator: {
    operationId: 'operatorFinishTrack',
    description:
      'Stops a track whose phone no longer does so. It ends with its last point, unless it has an end. Finishing again has no effect; points that still arrive are stored.',
    problems: [trackNotFound, pausesQuotaReached],
  },
}

/** POST /tracks/:id/finish, POST /operator/tracks/:id/finish */
export function finishTrack(app: HttpServer, door: TrackDoor, { compactor, now }: ApiDeps) {
  app.post(
    `${door.path}/finish`,
    {
      schema: {
        summary: 'Finish a track',
        ...FINISH[door.audience],
        ...door.schema,
        response: { 200: door.response },
      },
    },
    async (request, reply) => {
      const row = await door.change(request, (current) => finishChange(current, now()))
      const finished = await door.json(row, disconnectSignal(reply))
      compactor.add(row.id)
      return finished
    },
  )
}

/** POST /operator/tracks/:id/reopen */
export function reopenTrack(app: HttpServer, door: TrackDoor, { now }: ApiDeps) {
  app.post(
    `${door.path}/reopen`,
    {
      schema: {
        operationId: 'operatorReopenTrack',
        summary: 'Reopen a track',
        description:
          'Takes back that a track is finished: it goes on, without an end, as statistics, live map and race then show. Its phone may not know; points that it sends are stored. Reopening a track that is not stopped has no effect.',
        ...door.schema,
        problems: [trackNotFound],
        response: { 200: door.response },
      },
    },
    async (request, reply) => {
      const row = await door.change(request, (current) => reopenChange(current, now()))
      return await door.json(row, disconnectSignal(reply))
    },
  )
}

const DELETE = {
  app: {
    operationId: 'deleteTrack',
    description:
      'Deletes the track and all its points for good. Its `device_track_id` can be used again. The token needs the permission `manage`, which the first token of an event does not have.',
    permission: 'manage',
  },
  operator: {
    operationId: 'operatorDeleteTrack',
    description:
      'Puts the track with its points into the bin, from which it can be restored for `BIN_DAYS`; without a bin, deletes it for good. Its `device_track_id` can be used again.',
  },
}

/** DELETE /tracks/:id, DELETE /operator/tracks/:id */
export function deleteTrack(app: HttpServer, door: TrackDoor) {
  app.delete(
    door.path,
    {
      schema: {
        summary: 'Delete a track',
        ...DELETE[door.audience],
        ...door.schema,
        problems: [trackNotFound],
        response: { 204: noContent('The track was deleted.') },
      },
    },
    async (request, reply) => {
      await door.delete(request)
      return reply.code(204).send()
    },
  )
}
