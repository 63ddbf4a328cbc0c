import { Readable } from 'node:stream'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { BlobStore } from '../../blobs/blob-store.ts'
import { defineError, notFound } from '../../errors.ts'
import type { ByteRange } from './byte-range.ts'
import { chooseRangeAnswer } from './byte-range-answer.ts'

export const preconditionFailed = defineError(
  'PRECONDITION_FAILED',
  412,
  'The file is not the one that If-Match asks for.',
)
export const rangeNotSatisfiable = defineError(
  'RANGE_NOT_SATISFIABLE',
  416,
  'The file has no bytes where Range asks for them.',
)

/** Store to read from. */
type BlobSource = Pick<BlobStore, 'head' | 'read'>

/** Blob to send. */
type SentBlob = {
  key: string
  /** Identifier of its bytes, such as their hash: letters, digits and marks, without quotes. */
  etag: string
  /** Saves a request to the store if it is known. */
  size?: number
  /** The whole blob if it is in memory. The store is then not read. */
  bytes?: Buffer
  /** Content-Type, Cache-Control, Content-Disposition and other headers of its own. */
  headers: Record<string, string>
}

/**
 * Answers GET or HEAD with a blob or the part of it that Range requests, streamed at the client's pace. Reading ends
 * when the client leaves. The headers are sent with a 200, 206 or 304, but not with a failure.
 * @throws notFound, preconditionFailed, rangeNotSatisfiable, and UNAVAILABLE if the store cannot be read
 */
export async function sendBlob(
  request: FastifyRequest,
  reply: FastifyReply,
  store: BlobSource,
  blob: SentBlob,
): Promise<FastifyReply> {
  const size = blob.bytes?.length ?? blob.size ?? (await store.head(blob.key))?.size
  if (size === undefined) throw notFound()
  const etag = quoted(blob.etag)
  const answer = chooseRangeAnswer(request.method, request.headers, { etag, size })
  const common = { 'accept-ranges': 'bytes', etag, 'x-content-type-options': 'nosniff' }
  if (answer.status === 412) throw preconditionFailed()
  if (answer.status === 416)
    throw rangeNotSatisfiable({ headers: { 'accept-ranges': 'bytes', 'content-range': `bytes */${size}` } })
  if (answer.status === 304) return reply.code(304).headers(withoutContent(blob.headers)).headers(common).send()

  const range = answer.status === 206 ? answer.range : undefined
  const length = range === undefined ? size : range.end - range.start + 1
  // HEAD gets an empty stream, for which the framework keeps the Content-Length that is set.
  const isEmpty = length === 0 || request.method === 'HEAD'
  const bytes = isEmpty ? Readable.from([]) : await readBlob(store, blob, range)
  if (bytes === undefined) throw notFound()
  if (range !== undefined) reply.header('content-range', `bytes ${range.start}-${range.end}/${size}`)
  return reply
    .code(answer.status)
    .headers(blob.headers)
    .headers({ ...common, 'content-length': String(length) })
    .send(bytes)
}

function readBlob(
  store: BlobSource,
  { key, bytes }: SentBlob,
  range?: ByteRange,
): Promise<Readable | undefined> | Buffer {
  if (bytes === undefined) return store.read(key, range)
  return range === undefined ? bytes : bytes.subarray(range.start, range.end + 1)
}

function quoted(etag: string): string {
  if (!/^[\x21\x23-\x7e]+$/.test(etag)) throw new Error(`${JSON.stringify(etag)} cannot be an ETag`)
  return `"${etag}"`
}

/** Drops the headers that a 304 leaves out: it has only those that update the cached response (RFC 9110, 15.4.5). */
function withoutContent(headers: Record<string, string>): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !/^content-(?!security|location)/i.test(name)))
}
