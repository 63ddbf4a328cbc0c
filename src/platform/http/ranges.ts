import type { IncomingHttpHeaders } from 'node:http'
import { Readable } from 'node:stream'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { defineError, notFound } from '../basics/errors.ts'
import type { BlobStore } from '../blobs/blob-store.ts'

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

/** Drops headers that a 304 leaves out: it has only headers that update the cached response (RFC 9110, 15.4.5). */
function withoutContent(headers: Record<string, string>): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !/^content-(?!security|location)/i.test(name)))
}

/** The response to a request for content that never changes under its ETag. */
type RangeAnswer = { status: 200 | 304 | 412 | 416 } | { status: 206; range: ByteRange }

/**
 * Evaluates the conditions of a request in the order of RFC 9110, 13.2.2: If-Match, If-None-Match, then Range with
 * If-Range. There is no Last-Modified, so conditions on a date do not apply.
 * @param etag as in the header, with its quotes
 */
export function chooseRangeAnswer(
  method: string,
  headers: IncomingHttpHeaders,
  { etag, size }: { etag: string; size: number },
): RangeAnswer {
  const match = headers['if-match']
  if (match !== undefined && match.trim() !== '*' && !entityTags(match).includes(etag)) return { status: 412 }
  if (isNotModified(headers, etag)) return { status: 304 }
  // Ranges apply only to GET (RFC 9110, 14.2).
  if (method !== 'GET' || !rangeApplies(headers, etag)) return { status: 200 }
  const range = parseByteRange(headers.range, size)
  if (range === 'whole') return { status: 200 }
  return range === 'unsatisfiable' ? { status: 416 } : { status: 206, range }
}

/** Tells whether the client already has it: If-None-Match is `*` or names its ETag, strong or weak. */
export function isNotModified(headers: IncomingHttpHeaders, etag: string): boolean {
  const noneMatch = headers['if-none-match']
  if (noneMatch === undefined) return false
  return noneMatch.trim() === '*' || entityTags(noneMatch).some((tag) => tag === etag || tag === `W/${etag}`)
}

/** Compares If-Range strongly. A date never matches, so the whole is sent (RFC 9110, 13.1.5). */
function rangeApplies(headers: IncomingHttpHeaders, etag: string): boolean {
  const ifRange = headers['if-range']
  return ifRange === undefined || String(ifRange).trim() === etag
}

/** Returns the tags of a list. They are quoted and have no escapes within the quotes (RFC 9110, 8.8.3). */
function entityTags(header: string): string[] {
  return header.match(/(?:W\/)?"[\x21\x23-\x7e\x80-\xff]*"/g) ?? []
}

/** The bytes from `start` to `end`, both included, counted from 0. */
export type ByteRange = { start: number; end: number }

/** `first-pos "-" [ last-pos ]` or `"-" suffix-length` (RFC 9110, 14.1.1). */
const RANGE_SPEC = /^(\d*)-(\d*)$/

/**
 * Returns the part of `size` bytes that a Range header requests (RFC 9110, 14.2). An unknown form or several ranges
 * mean the whole, as the RFC allows: several would have to be sent as `multipart/byteranges`, which PDF readers do not
 * request and which overlapping ranges abuse.
 */
export function parseByteRange(header: string | undefined, size: number): ByteRange | 'whole' | 'unsatisfiable' {
  const [unit, set, ...rest] = (header ?? '').split('=')
  if (unit.trim().toLowerCase() !== 'bytes' || set === undefined || rest.length > 0) return 'whole'
  // Empty elements of a list are ignored (RFC 9110, 5.6.1).
  const specs = set
    .split(',')
    .map((spec) => spec.trim())
    .filter((spec) => spec !== '')
  const [, first, last] = (specs.length === 1 && RANGE_SPEC.exec(specs[0])) || []
  if (first === undefined || (first === '' && last === '')) return 'whole'
  return first === '' ? lastBytes(Number(last), size) : bytesFrom(Number(first), last, size)
}

function lastBytes(length: number, size: number): ByteRange | 'whole' | 'unsatisfiable' {
  if (length === 0) return 'unsatisfiable'
  // The whole, even if it is empty, which no Content-Range can express.
  if (length >= size) return size === 0 ? 'whole' : { start: 0, end: size - 1 }
  return { start: size - length, end: size - 1 }
}

function bytesFrom(start: number, last: string, size: number): ByteRange | 'whole' | 'unsatisfiable' {
  if (last !== '' && Number(last) < start) return 'whole'
  if (start >= size) return 'unsatisfiable'
  return { start, end: last === '' ? size - 1 : Math.min(Number(last), size - 1) }
}
