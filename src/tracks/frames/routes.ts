import { hash } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'
import Type, { type TObject } from 'typebox'
import { rateLimited, unavailable } from '#platform/basics/errors.ts'
import { type HttpServer, streamed } from '#platform/http/http-server.ts'
import { acceptedEncoding } from '#platform/http/kept-text.ts'
import { isNotModified } from '#platform/http/ranges.ts'
import type { EventDoor } from '../api/doors.ts'
import { eventNotFound, frameNotFound, shareEnded, shareNotFound } from '../model/errors.ts'
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

/** GET …/frames/:number */
export function getFrame(app: HttpServer, door: EventDoor, { frames }: Deps) {
  const number = Type.String({
    pattern: '^[1-9][0-9]{0,14}$',
    description: 'Number of the frame.',
    examples: ['888889050'],
  })
  app.get(
    `${door.path}/frames/:number`,
    {
      compress: false,
      schema: {
        ...FRAME[door.audience],
        ...door.schema,
        params: Type.Object({ ...(door.schema.params as TObject).properties, number }),
        querystring: FrameQuery,
        produces: [MEDIA_TYPE, 'application/json'],
        response: { 200: streamed(FrameJson) },
      },
    },
    async (request, reply) => {
      const { id: eventId, delaySec, trackId } = await door.open(request)
      const number = Number((request.params as { number: string }).number)
      const { whole, format = 'binary' } = request.query
      const isWhole = whole === 'true'
      const series = { eventId, delaySec }
      frames.open(series).want()
      const form = {
        isWhole,
        trackId,
        hasBattery: door.audience === 'operator',
        format,
        encoding: acceptedEncoding(request),
      }
      const bytes = await frames.read(series, number, form)
      if (bytes === undefined) throw frameNotFound()
      reply.header('cache-control', CACHING[door.audience].frame)
      return sendFrame(request, reply, bytes, form)
    },
  )
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

function sendFrame(request: FastifyRequest, reply: FastifyReply, bytes: Uint8Array, { format, encoding }: FrameForm) {
  const etag = tagOf(bytes)
  reply.headers({ etag, vary: 'Accept-Encoding' })
  if (isNotModified(request.headers, etag)) return reply.code(304).send()
  if (encoding !== undefined) reply.header('content-encoding', encoding)
  reply.type(format === 'json' ? 'application/json; charset=utf-8' : MEDIA_TYPE)
  return reply.send(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength))
}
