import type { FastifySchema } from 'fastify'
import type { BodyBudget } from '#platform/http/bodies/body-budget.ts'
import { readRequestBody } from '#platform/http/bodies/request-body.ts'
import type { HttpServer } from '#platform/http/http-server.ts'
import { pointsQuotaReached, timestampFull, tokenTooPowerful, trackFull, tracksQuotaReached } from '../errors.ts'
import {
  GpsLoggerFields,
  OsmAndFields,
  OverlandAnswer,
  OverlandBatch,
  OwnTracksAnswer,
  OwnTracksMessage,
  PhoneAddress,
} from '../schemas/phone-apps.ts'
import { PointsReceipt } from '../schemas/receipt.ts'
import { MAX_POSITION_BYTES } from '../wire/apps/read-body.ts'
import type { PhoneAppName } from '../wire/apps/read-phone-batch.ts'
import { gpsLoggerProfile, type ProfileDeps } from './gpslogger-profile.ts'
import { type ReceiveDeps, receiveFixes } from './receive-fixes.ts'

/** Largest body of an app that sends batches, decompressed. 1,000 points of Overland have some 600 kB. */
const MAX_BATCH_BYTES = 1_048_576

type Deps = ReceiveDeps & ProfileDeps & { bodyBudget: BodyBudget }

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
    // A request of this kind stores something, whatever HTTP says about its method.
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
