import { hash } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'
import Type, { type TObject } from 'typebox'
import { rateLimited, unavailable } from '#platform/basics/errors.ts'
import { type HttpServer, streamed } from '#platform/http/http-server.ts'
import { acceptedEncoding } from '#platform/http/kept-text.ts'
import { isNotModified } from '#platform/http/ranges.ts'
import type { EventDoor } from '../api/doors.ts'
import { eventNotFound, frameNotFound, shareEnded, shareNotFound } from '../model/errors.ts'
import { TILE_ZOOMS, type Tile } from './frame-tiles.ts'
import type { FrameForm, Frames } from './frames.ts'
import { FrameJson, FrameLatest, FrameQuery, latestJson } from './schemas.ts'

type Deps = { frames: Frames }

/** Type of the binary form. */
const MEDIA_TYPE = 'application/vnd.trackpress.frame'

/** Longest time for which caches keep a frame, as long as the server does. */
const KEPT_SEC = 120

/** Cache-Control by audience. The token of a share is in the address, and so caches may keep the answers. */
const CACHING = {
  operator: { frame: `private, max-age=${KEPT_SEC}, immutable`, latest: 'private, no-store' },
  spectator: {
    frame: `public, max-age=${KEPT_SEC}, s-maxage=${KEPT_SEC}, immutable`,
    latest: 'public, max-age=0, s-maxage=1',
  },
}

const LATEST = {
  operator: {
    operationId: 'operatorGetLatestFrame',
    summary: 'Get the newest frame',
    description: 'Names the newest frame of positions. Frames are made while somebody asks for them.',
    problems: [eventNotFound, rateLimited, unavailable],
  },
  spectator: {
    operationId: 'getLatestFrame',
    summary: 'Get the newest frame of a share',
    description:
      'Names the newest frame of positions. Frames are made while somebody asks for them. A cache may keep the answer for a second.',
    problems: [shareNotFound, shareEnded, unavailable],
  },
}

/** GET …/frames/latest */
export function getLatestFrame(app: HttpServer, door: EventDoor, { frames }: Deps) {
  app.get(
    `${door.path}/frames/latest`,
    { compress: false, schema: { ...LATEST[door.audience], ...door.schema, response: { 200: FrameLatest } } },
    async (request, reply) => {
      const { id: eventId, delaySec } = await door.open(request)
      const latest = await frames.open({ eventId, delaySec }).latest()
      reply.header('cache-control', CACHING[door.audience].latest)
      return latestJson(latest, delaySec)
    },
  )
}

const DESCRIPTION =
  'Returns the tracks that differ from the frame before, or all with `whole=true`: last position to a meter and a second, direction, state and rank. A frame never changes, and is kept for two minutes. `docs/live-frames.md` describes the binary form.'
const FRAME = {
  operator: {
    operationId: 'operatorGetFrame',
    summary: 'Get a frame',
    description: DESCRIPTION,
    problems: [eventNotFound, frameNotFound, rateLimited, unavailable],
  },
  spectator: {
    operationId: 'getFrame',
    summary: 'Get a frame of a share',
    description: DESCRIPTION,
    problems: [shareNotFound, shareEnded, frameNotFound, unavailable],
  },
}

const NUMBER = Type.String({
  pattern: '^[1-9][0-9]{0,14}$',
  description: 'Number of the frame.',
  examples: ['888889050'],
})

/** GET …/frames/:number */
export function getFrame(app: HttpServer, door: EventDoor, deps: Deps) {
  const params = Type.Object({ ...(door.schema.params as TObject).properties, number: NUMBER })
  app.get(
    `${door.path}/frames/:number`,
    { compress: false, schema: { ...FRAME[door.audience], ...door.schema, params, ...ANSWER } },
    async (request, reply) => sendFrame(request, reply, await readFrame(door, deps, request, reply)),
  )
}

const TILE_DESCRIPTION =
  'Returns the tracks in a tile that differ from the frame before, are new in it or have left it, or with `whole=true` all that are in it. For events of more than 5,000 tracks, of which a viewer shows a part. Tiles are squares of latitude and longitude: `x` and `y` count them from 180° west and 90° south, and their sides have 2^(25 − `zoom`) units of 0.00001 degrees.'
const TILE = {
  operator: { ...FRAME.operator, operationId: 'operatorGetFrameTile', summary: 'Get a tile of a frame' },
  spectator: { ...FRAME.spectator, operationId: 'getFrameTile', summary: "Get a tile of a share's frame" },
}

/** GET …/frames/:number/tiles/:zoom/:x/:y */
export function getFrameTile(app: HttpServer, door: EventDoor, deps: Deps) {
  const count = (description: string, example: string) =>
    Type.String({ pattern: '^(0|[1-9][0-9]{0,4})$', description, examples: [example] })
  const tile = {
    zoom: Type.Enum(TILE_ZOOMS.map(String), { description: 'Zoom of a map whose tiles are about as wide.' }),
    x: count('Column of the tile, from 180° west.', '1140'),
    y: count('Row of the tile, from 90° south.', '829'),
  }
  const params = Type.Object({ ...(door.schema.params as TObject).properties, number: NUMBER, ...tile })
  const description = TILE_DESCRIPTION
  app.get(
    `${door.path}/frames/:number/tiles/:zoom/:x/:y`,
    { compress: false, schema: { ...TILE[door.audience], description, ...door.schema, params, ...ANSWER } },
    async (request, reply) => {
      const { zoom, x, y } = request.params as Record<'zoom' | 'x' | 'y', string>
      const tile = { zoom: Number(zoom) as Tile['zoom'], x: Number(x), y: Number(y) }
      return sendFrame(request, reply, await readFrame(door, deps, request, reply, tile))
    },
  )
}

const ANSWER = {
  querystring: FrameQuery,
  produces: [MEDIA_TYPE, 'application/json'],
  response: { 200: streamed(FrameJson) },
}

type Found = { bytes: Uint8Array; form: FrameForm }

/** Reads the frame of a request. @throws frameNotFound */
async function readFrame(
  door: EventDoor,
  { frames }: Deps,
  request: FastifyRequest,
  reply: FastifyReply,
  tile?: Tile,
): Promise<Found> {
  const { id: eventId, delaySec, trackId } = await door.open(request)
  const number = Number((request.params as { number: string }).number)
  const { whole, format = 'binary' } = request.query as FrameQuery
  const series = { eventId, delaySec }
  frames.open(series).want()
  const form: FrameForm = {
    isWhole: whole === 'true',
    trackId,
    tile,
    hasBattery: door.audience === 'operator',
    format,
    encoding: acceptedEncoding(request),
  }
  const bytes = await frames.read(series, number, form)
  if (bytes === undefined) throw frameNotFound()
  reply.header('cache-control', CACHING[door.audience].frame)
  return { bytes, form }
}

/** Tags of the frames that are held, of which each is hashed once. */
const tags = new WeakMap<Uint8Array, string>()

function tagOf(bytes: Uint8Array): string {
  const known = tags.get(bytes)
  if (known !== undefined) return known
  const tag = `"${hash('sha256', bytes).slice(0, 20)}"`
  tags.set(bytes, tag)
  return tag
}

function sendFrame(request: FastifyRequest, reply: FastifyReply, { bytes, form: { format, encoding } }: Found) {
  const etag = tagOf(bytes)
  reply.headers({ etag, vary: 'Accept-Encoding' })
  if (isNotModified(request.headers, etag)) return reply.code(304).send()
  if (encoding !== undefined) reply.header('content-encoding', encoding)
  reply.type(format === 'json' ? 'application/json; charset=utf-8' : MEDIA_TYPE)
  return reply.send(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength))
}
