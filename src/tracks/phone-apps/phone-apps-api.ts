import type { FastifySchema } from 'fastify'
import type { BodyBudget } from '#platform/http/bodies/body-budget.ts'
import { readRequestBody } from '#platform/http/bodies/request-body.ts'
import type { HttpServer } from '#platform/http/http-server.ts'
import { pointsQuotaReached, timestampFull, trackFull, tracksQuotaReached } from '../errors.ts'
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
import { readGpsLogger } from './apps/gpslogger.ts'
import { readOsmAnd } from './apps/osmand.ts'
import { readOverland } from './apps/overland.ts'
import { readOwnTracks } from './apps/owntracks.ts'
import type { ReadFixes } from './apps/phone-fix.ts'
import { readTraccar } from './apps/traccar.ts'
import { gpsLoggerProfile, type ProfileDeps } from './gpslogger-profile.ts'
import { type ReceiveDeps, receiveFixes } from './receive-fixes.ts'

/** Largest body, decompressed. 1,000 points of Overland have some 600 kB. */
const MAX_BODY_BYTES = 4 * 1_048_576

type Deps = ReceiveDeps & ProfileDeps & { bodyBudget: BodyBudget }

/** One address of an app, and the answer after which it goes on. */
type PhoneApp = { name: string; title: string; read: ReadFixes; schema: FastifySchema; answer?: unknown }

const OSMAND: PhoneApp = {
  name: 'osmand',
  title: 'OsmAnd',
  read: readOsmAnd,
  schema: { querystring: OsmAndFields, response: { 200: PointsReceipt } },
}
const TRACCAR: PhoneApp = {
  name: 'traccar',
  title: 'Traccar Client',
  read: readTraccar,
  schema: { querystring: OsmAndFields, response: { 200: PointsReceipt } },
}
const GPSLOGGER: PhoneApp = {
  name: 'gpslogger',
  title: 'GPSLogger',
  read: readGpsLogger,
  schema: { querystring: GpsLoggerFields, response: { 200: PointsReceipt } },
}
const OVERLAND: PhoneApp = {
  name: 'overland',
  title: 'Overland',
  read: readOverland,
  schema: { body: OverlandBatch, response: { 200: OverlandAnswer } },
  answer: { result: 'ok' },
}
const OWNTRACKS: PhoneApp = {
  name: 'owntracks',
  title: 'OwnTracks',
  read: readOwnTracks,
  schema: { body: OwnTracksMessage, response: { 200: OwnTracksAnswer } },
  answer: [],
}

/** Registers an address for each of the common apps that send positions. They can set an address, and no header. */
export async function phoneAppsApi(app: HttpServer, deps: Deps): Promise<void> {
  acceptAnyBody(app, deps.bodyBudget)
  for (const one of [OSMAND, TRACCAR, GPSLOGGER]) {
    receive(app, deps, 'GET', one)
    receive(app, deps, 'POST', one)
  }
  gpsLoggerProfile(app, deps)
  receive(app, deps, 'POST', OVERLAND)
  receive(app, deps, 'POST', OWNTRACKS)
}

function receive(app: HttpServer, deps: Deps, method: 'GET' | 'POST', { name, title, read, schema, answer }: PhoneApp) {
  app.route({
    method,
    url: `/in/:token/${name}`,
    // A request of this kind stores something, whatever HTTP says about its method.
    exposeHeadRoute: false,
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
      problems: [pointsQuotaReached, tracksQuotaReached, trackFull, timestampFull],
    },
    handler: async (request, reply) => {
      const receipt = await receiveFixes(deps, request, name, read)
      return reply.send((answer ?? receipt) as never)
    },
  })
}

/** Apps send JSON and forms with either type, or without one. */
function acceptAnyBody(app: HttpServer, budget: BodyBudget): void {
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', async (request: Parameters<typeof readRequestBody>[0]) => {
    request.bodyBytes = await readRequestBody(request, MAX_BODY_BYTES, budget)
    return {}
  })
}
