import type { FastifyRequest, FastifySchema } from 'fastify'
import type { BodyBudget } from '#platform/http/body-limits.ts'
import type { HttpServer } from '#platform/http/http-server.ts'
import { readRequestBody } from '#platform/http/request-body.ts'
import type { ApiDeps } from '../api/deps.ts'
import { pointsQuotaReached, timestampFull, tokenTooPowerful, trackFull, tracksQuotaReached } from '../model/errors.ts'
import { PointsReceipt, pointsReceipt } from '../points/schemas.ts'
import { MAX_POSITION_BYTES } from './phone-fix.ts'
import { type PhoneAppName, readPhoneBatch } from './phone-formats.ts'
import { type PhoneRecorder, sendingPhone } from './phone-recorder.ts'
import {
  GpsLoggerFields,
  OsmAndFields,
  OverlandAnswer,
  OverlandBatch,
  OwnTracksAnswer,
  OwnTracksMessage,
  PhoneAddress,
} from './schemas.ts'

/** Largest body of an app that sends batches, decompressed. 1,000 points of Overland have some 600 kB. */
const MAX_BATCH_BYTES = 1_048_576

type Deps = ApiDeps & { phones: PhoneRecorder; baseUrl: () => string }

/** One address of an app, the largest body, and the answer after which the app goes on. */
type PhoneApp = {
  name: PhoneAppName
  title: string
  maxBytes: number
  schema: FastifySchema
  answer?: unknown
}

const OSMAND: PhoneApp = {
  name: 'osmand',
  title: 'OsmAnd',
  maxBytes: MAX_POSITION_BYTES,
  schema: { querystring: OsmAndFields, response: { 200: PointsReceipt } },
}
const TRACCAR: PhoneApp = {
  name: 'traccar',
  title: 'Traccar Client',
  maxBytes: MAX_BATCH_BYTES,
  schema: { querystring: OsmAndFields, response: { 200: PointsReceipt } },
}
const GPSLOGGER: PhoneApp = {
  name: 'gpslogger',
  title: 'GPSLogger',
  maxBytes: MAX_POSITION_BYTES,
  schema: { querystring: GpsLoggerFields, response: { 200: PointsReceipt } },
}
const OVERLAND: PhoneApp = {
  name: 'overland',
  title: 'Overland',
  maxBytes: MAX_BATCH_BYTES,
  schema: { body: OverlandBatch, response: { 200: OverlandAnswer } },
  answer: { result: 'ok' },
}
const OWNTRACKS: PhoneApp = {
  name: 'owntracks',
  title: 'OwnTracks',
  maxBytes: MAX_BATCH_BYTES,
  schema: { body: OwnTracksMessage, response: { 200: OwnTracksAnswer } },
  answer: [],
}

/** Registers an address for each of the common apps that send positions. They can set an address, and no header. */
export async function phoneAppsApi(app: HttpServer, deps: Deps): Promise<void> {
  acceptAnyBody(app, deps.bodyBudget)
  refuseManagement(app)
  for (const one of [OSMAND, TRACCAR, GPSLOGGER]) {
    receive(app, deps, 'GET', one)
    receive(app, deps, 'POST', one)
  }
  gpsLoggerProfile(app, deps)
  receive(app, deps, 'POST', OVERLAND)
  receive(app, deps, 'POST', OWNTRACKS)
}

function receive(
  app: HttpServer,
  deps: Deps,
  method: 'GET' | 'POST',
  { name, title, maxBytes, schema, answer }: PhoneApp,
) {
  app.route({
    method,
    url: `/in/:token/${name}`,
    // A request of this kind stores something, although HTTP calls its method safe.
    exposeHeadRoute: false,
    bodyLimit: maxBytes,
    // The schemas describe what the apps send. A point that breaks a rule is left out; the request is not refused.
    validatorCompiler: () => () => true,
    schema: {
      ...schema,
      operationId: `add${title.replace(' ', '')}Points${method === 'GET' ? 'ByQuery' : ''}`,
      summary: `Receive positions from ${title}${method === 'GET' ? ' in a query' : ''}`,
      description: `Stores what ${title} sends, and leaves invalid points out. The first point of a device opens a track.`,
      tags: ['Phones'],
      params: PhoneAddress,
      permission: 'record',
      security: [],
      problems: [tokenTooPowerful, pointsQuotaReached, tracksQuotaReached, trackFull, timestampFull],
    },
    handler: async (request, reply) => {
      const receipt = await receiveFixes(deps, request, name)
      return reply.send((answer ?? receipt) as never)
    },
  })
}

/**
 * Refuses tokens that can delete tracks, because addresses end up in logs and screenshots. Those that read the event
 * are accepted: the first token of an event is such a one, and phones that carry it would lose their points.
 */
function refuseManagement(app: HttpServer): void {
  app.addHook('onRequest', (request, _reply, done) => {
    done(request.appToken.permissions.includes('manage') ? tokenTooPowerful() : undefined)
  })
}

/** Apps send JSON and forms with either type, or without one. */
function acceptAnyBody(app: HttpServer, budget: BodyBudget): void {
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', async (request: Parameters<typeof readRequestBody>[0]) => {
    request.bodyBytes = await readRequestBody(request, request.routeOptions.bodyLimit, budget)
    return {}
  })
}

/**
 * Reads the positions of a request and stores the valid ones, in tracks of the devices that they
 * name. When it resolves, they are on disk.
 * @throws badRequest for a body that cannot be read; pointsQuotaReached and the errors of `PhoneRecorder.record`
 */
async function receiveFixes(
  { bodies, phones, limits, metrics }: Deps,
  request: FastifyRequest,
  app: PhoneAppName,
): Promise<PointsReceipt> {
  const { appToken, tokenHash, headers } = request
  const body = request.bodyBytes ?? Buffer.alloc(0)
  const bytes = body.length
  const owner = { eventId: appToken.eventId, person: tokenHash }
  const sent = { app, query: queryOf(request), body, headers }
  const { devices, count, rejected } = await bodies.read('phone', readPhoneBatch, sent, owner)
  if (count > 0 && limits.isFull(appToken.eventId)) throw pointsQuotaReached()
  let storedCount = 0
  for (const { deviceId, altitudeReference, points } of devices) {
    storedCount += await phones.record({ ...sendingPhone(appToken, app, deviceId), altitudeReference }, points)
  }
  metrics.pointsReceived(count, bytes)
  return pointsReceipt(count, storedCount, rejected)
}

/** The framework's own parser makes lists of repeated names. */
function queryOf({ raw: { url = '' } }: FastifyRequest): string {
  const mark = url.indexOf('?')
  return mark === -1 ? '' : url.slice(mark + 1)
}

/** Interval at which the profile makes the app record, in seconds. */
const INTERVAL_SEC = 5

/**
 * GET /in/:token/gpslogger.properties: settings that the app loads from a link,
 * `gpslogger://properties/<this address>`.
 */
function gpsLoggerProfile(app: HttpServer, { baseUrl }: Deps): void {
  app.get<{ Params: { token: string } }>(
    '/in/:token/gpslogger.properties',
    { schema: { hide: true, permission: 'record' } },
    async ({ params }, reply) =>
      reply
        .type('text/plain; charset=utf-8')
        .send(
          [
            'log_customurl_enabled=true',
            'log_customurl_method=GET',
            `log_customurl_url=${baseUrl()}/in/${params.token}/gpslogger?%ALL`,
            `time_before_logging=${INTERVAL_SEC}`,
            '',
          ].join('\n'),
        ),
  )
}
