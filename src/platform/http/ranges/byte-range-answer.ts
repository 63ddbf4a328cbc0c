import type { IncomingHttpHeaders } from 'node:http'
import { type ByteRange, parseByteRange } from './byte-range.ts'

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
