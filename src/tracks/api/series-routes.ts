import type { FastifyReply, FastifyRequest } from 'fastify'
import { rateLimited } from '#platform/basics/errors.ts'
import { disconnectSignal } from '#platform/http/client.ts'
import { type HttpServer, streamed } from '#platform/http/http-server.ts'
import { acceptedEncoding, sendJsonBytes } from '#platform/http/kept-text.ts'
import { shareEnded, shareNotFound, trackNotFound } from '../model/errors.ts'
import type { ProfileView } from '../statistics/points-tasks.ts'
import {
  DEFAULT_RAW_POINTS_PER_PAGE,
  DEFAULT_SERIES_POINTS,
  METERS_OF_SPLIT,
  RawPointList,
  RawPointsQuery,
  SeriesQuery,
  SplitList,
  SplitsQuery,
  TrackSeries,
} from '../statistics/schemas.ts'
import type { ApiDeps } from './deps.ts'
import type { TrackViewDoor } from './doors.ts'

const SERIES = {
  operator: {
    operationId: 'operatorGetSeries',
    summary: 'Get the line and profiles of a track',
    description:
      'Returns columns with position, altitude, speed and distance of the points that statistics use, downsampled so that turns, summits and sprints stay, with the gaps in the line and the left-out points. Describes the shown part of a trimmed track, and has the trimmed ends as lines.',
    problems: [trackNotFound, rateLimited],
  },
  spectator: {
    operationId: 'getSharedSeries',
    summary: 'Get the line and profiles of a shared track',
    description: 'Returns the series of the shown part, without the points that statistics leave out.',
    problems: [shareNotFound, shareEnded, trackNotFound],
  },
}

/** GET …/series: the line and profiles of a track. */
export function getSeries(app: HttpServer, door: TrackViewDoor, deps: ApiDeps) {
  app.get(
    `${door.path}/series`,
    {
      schema: {
        ...SERIES[door.audience],
        ...door.schema,
        querystring: SeriesQuery,
        response: { 200: streamed(TrackSeries) },
      },
    },
    async (request, reply) => {
      const maxPoints = request.query.points ?? DEFAULT_SERIES_POINTS
      return await sendProfile(door, deps, request, reply, { name: 'series', maxPoints, for: door.audience })
    },
  )
}

const SPLITS = {
  operator: {
    operationId: 'operatorGetSplits',
    summary: 'Get the splits of a track',
    description:
      'Returns one split per kilometer or mile of the shown part. Distance, duration, moving time, climb and descent add up to those of the statistics.',
    problems: [trackNotFound, rateLimited],
  },
  spectator: {
    operationId: 'getSharedSplits',
    summary: 'Get the splits of a shared track',
    description: 'Returns one split per kilometer or mile of the shown part.',
    problems: [shareNotFound, shareEnded, trackNotFound],
  },
}

/** GET …/splits: the splits of a track. */
export function getSplits(app: HttpServer, door: TrackViewDoor, deps: ApiDeps) {
  app.get(
    `${door.path}/splits`,
    {
      schema: {
        ...SPLITS[door.audience],
        ...door.schema,
        querystring: SplitsQuery,
        response: { 200: streamed(SplitList) },
      },
    },
    async (request, reply) => {
      const meters = METERS_OF_SPLIT[request.query.unit ?? 'km']
      return await sendProfile(door, deps, request, reply, { name: 'splits', meters })
    },
  )
}

/** GET /operator/tracks/:id/points */
export function listPoints(app: HttpServer, door: TrackViewDoor, deps: ApiDeps) {
  app.get(
    `${door.path}/points`,
    {
      schema: {
        operationId: 'operatorListPoints',
        summary: 'List the raw points of a track',
        description:
          'Returns points as they were sent, in time order. Points that statistics leave out have the reason.',
        ...door.schema,
        querystring: RawPointsQuery,
        problems: [trackNotFound, rateLimited],
        response: { 200: streamed(RawPointList) },
      },
    },
    async (request, reply) => {
      const { from = 0, limit = DEFAULT_RAW_POINTS_PER_PAGE } = request.query
      return await sendProfile(door, deps, request, reply, { name: 'raw-points', from, limit })
    },
  )
}

/**
 * Answers with a view of a track.
 * @throws the errors of the door; rateLimited, unavailable if too many wait
 */
async function sendProfile(
  door: TrackViewDoor,
  { profiles }: ApiDeps,
  request: FastifyRequest,
  reply: FastifyReply,
  view: ProfileView,
) {
  const row = await door.open(request)
  const encoding = acceptedEncoding(request)
  const caller = { kind: door.audience, key: door.callerOf(request), encoding, left: disconnectSignal(reply) }
  return sendJsonBytes(reply, await profiles(row, view, caller), encoding)
}
