import type { IncomingHttpHeaders } from 'node:http'
import { type ByteRange, parseByteRange } from './byte-range.ts'

/** How a request for something that never changes under its ETag is to be answered. */
export type RangeAnswer = { status: 200 | 304 | 412 | 416 } | { status: 206; range: ByteRange }

/**
 * Weighs the conditions of a request in the order of RFC 9110, 13.2.2: If-Match, If-None-Match, then Range with
 * If-Range. There is no Last-Modified, so that conditions on a date do not apply.
 * @param etag as it stands in the header, with its quotes
 */
export function chooseRangeAnswer(
  method: string,
  headers: IncomingHttpHeaders,
  { etag, size }: { etag: string; size: number },
): RangeAnswer {
  const match = headers['if-match']
  if (match !== undefined && match.trim() !== '*' && !entityTags(match).includes(etag)) return { status: 412 }
  if (isNotModified(headers, etag)) return { status: 304 }
  // A range is of a GET alone (RFC 9110, 14.2).
  if (method !== 'GET' || !rangeApplies(headers, etag)) return { status: 200 }
  const range = parseByteRange(headers.range, size)
  if (range === 'whole') return { status: 200 }
  return range === 'unsatisfiable' ? { status: 416 } : { status: 206, range }
}

/** Whether the client has it already: If-None-Match names its ETag, strong or weak, or anything. */
export function isNotModified(headers: IncomingHttpHeaders, etag: string): boolean {
  const noneMatch = headers['if-none-match']
  if (noneMatch === undefined) return false
  return noneMatch.trim() === '*' || entityTags(noneMatch).some((tag) => tag === etag || tag === `W/${etag}`)
}

/** If-Range compares strongly; a date in it fits nothing here, so that the whole is sent (RFC 9110, 13.1.5). */
function rangeApplies(headers: IncomingHttpHeaders, etag: string): boolean {
  const ifRange = headers['if-range']
  return ifRange === undefined || String(ifRange).trim() === etag
}

/** The tags of a list: quoted, with nothing in quotes but characters that need none (RFC 9110, 8.8.3). */
function entityTags(header: string): string[] {
  return header.match(/(?:W\/)?"[\x21\x23-\x7e\x80-\xff]*"/g) ?? []
}
