import { Readable } from 'node:stream'
import type { FastifyReply, FastifyRequest } from 'fastify'
import Type from 'typebox'
import { notAcceptable, rateLimited, unavailable } from '#platform/errors.ts'
import { streamed } from '#platform/http/answer-schemas.ts'
import { clientLeft } from '#platform/http/client-left.ts'
import { ConnectionLimit, type ConnectionLimits } from '#platform/http/limits/connection-limit.ts'
import { preferredMediaType } from '#platform/http/negotiation.ts'
import { contentDisposition } from '#platform/http/ranges/content-disposition.ts'
import type { Asker } from '../computing/computing-turns.ts'
import { exportImpossible, trackNotFound } from '../errors.ts'
import { type ExportFormatName, ExportQuery } from '../schemas/exports.ts'
import type { TrackRow } from '../storage/tables.ts'
import { EXPORT_FORMATS } from './export-formats.ts'
import type { ExportTurns } from './export-turns.ts'
import { type ExportDeps, openExport } from './open-export.ts'

/** Value of `Retry-After` for a refused export. */
const RETRY_AFTER_SEC = 10

const FORMAT_NAMES = Object.keys(EXPORT_FORMATS) as ExportFormatName[]
const MEDIA_TYPES = FORMAT_NAMES.map((name) => EXPORT_FORMATS[name].mediaType)

/** Parts of a schema that all routes share which send a track as a file. */
export const EXPORT_ROUTE = {
  description:
    'Streams every stored point, also those that statistics leave out, with all numbers as they were sent, as far as the format can hold them. The file is an attachment named after the title.',
  querystring: ExportQuery,
  produces: MEDIA_TYPES,
  problems: [trackNotFound, notAcceptable, exportImpossible, rateLimited],
  response: { 200: streamed(Type.String({ description: 'The file.' })) },
}

/** The one who asks for a file: the key of the limit, and the queue for figures that have to be computed. */
type Caller = { key: string; asker: Asker }

/** Sends a file of bytes that are formatted while they are sent. */
type SendFile = (reply: FastifyReply, file: SentFile) => FastifyReply

type SentFile = {
  caller: string
  contentType: string
  /** Name of the file without its extension. */
  stem: string
  extension: string
  /** Opens the file once it is certain that it is sent. */
  open(): Readable
}

/** Returns the format that the address names, else the one that `Accept` prefers. @throws notAcceptable */
function requestedFormat({ headers, query }: FastifyRequest): ExportFormatName {
  const { format } = query as ExportQuery
  if (format !== undefined) return format
  const preferred = preferredMediaType(headers.accept, MEDIA_TYPES)
  if (preferred === undefined) {
    throw notAcceptable({ detail: `Tracks are available as ${MEDIA_TYPES.join(', ')}, or with the parameter format.` })
  }
  return FORMAT_NAMES[MEDIA_TYPES.indexOf(preferred)]
}

/** Returns a function that sends files, at most so many at once. */
export function limitedFiles(limits: ConnectionLimits): SendFile {
  const files = new ConnectionLimit(limits)
  return (reply, { caller, contentType, stem, extension, open }) => {
    reply.type(contentType)
    reply.header('content-disposition', contentDisposition('attachment', stem, extension))
    if (reply.request.method === 'HEAD') return reply.send()
    const release = files.hold(caller)
    if (release === undefined) throw tooManyExports(files.isFull)
    reply.raw.once('close', release)
    return reply.send(open())
  }
}

/** Sends a track as a file in the requested format. */
export async function sendExport(
  deps: ExportDeps & { exportTurns: ExportTurns },
  request: FastifyRequest,
  reply: FastifyReply,
  { row, caller, sendFile }: { row: TrackRow; caller: Caller; sendFile: SendFile },
): Promise<FastifyReply> {
  const format = requestedFormat(request)
  const pieces = await openExport(deps, row, EXPORT_FORMATS[format], caller.asker, clientLeft(reply))
  reply.header('vary', 'Accept')
  return sendFile(reply, {
    caller: caller.key,
    contentType: EXPORT_FORMATS[format].contentType,
    stem: row.title,
    extension: format,
    open: () => Readable.from(deps.exportTurns.bytes(pieces), { objectMode: false }),
  })
}

function tooManyExports(isFull: boolean) {
  const headers = { 'retry-after': String(RETRY_AFTER_SEC) }
  return isFull
    ? unavailable({ detail: 'Too many tracks are being downloaded. Try again later.', headers })
    : rateLimited({ detail: 'You are downloading too many tracks at once. Try again later.', headers })
}
