import { isUtf8 } from 'node:buffer'
import { parseJson } from '#platform/http/json/parse-json.ts'
import type { PointColumns } from '../../points/point-columns.ts'
import { scanPoints } from './scan-points.ts'
import {
  COMMA,
  GIVE_UP,
  isSpace,
  LEFT_BRACE,
  LEFT_BRACKET,
  QUOTE,
  RIGHT_BRACE,
  RIGHT_BRACKET,
  type ScanInput,
  scanInput,
  skipAnyString,
  skipColon,
  skipNull,
  skipPlainString,
  skipSpace,
} from './scan-text.ts'
import { skipPlainMember } from './skip-member.ts'

/** The body of a request with points: the points checked, the other values only parsed. */
export type PointBatch = { track: unknown; points: PointColumns; stats: unknown }

type Found = { track?: unknown; points?: PointColumns; stats?: unknown }

/** The other values are small; a larger or deeper one takes the slow path, which enforces the limits of a body. */
const MAX_OBJECT_BYTES = 65_536
const MAX_OBJECT_DEPTH = 8
const MAX_MEMBERS = 16

/**
 * Reads `{ "track": {…}, "points": […], "stats": {…} }`, of which all but the points may be missing, by scanning its
 * bytes. Returns undefined unless all of it is valid and in ordinary spelling. `parseBody` accepts everything that this
 * function accepts, with the same result.
 */
export function scanBody(body: Buffer, maxPoints: number): PointBatch | undefined {
  const bytes = body[body.length - 1] === RIGHT_BRACE ? body : body.subarray(0, body.lastIndexOf(RIGHT_BRACE) + 1)
  if (!isUtf8(bytes) || !isSpaceOnly(body, bytes.length)) return undefined
  const found: Found = {}
  if (scanMembers(scanInput(bytes), maxPoints, found) !== bytes.length || found.points === undefined) return undefined
  return { track: found.track, points: found.points, stats: found.stats }
}

function isSpaceOnly(body: Buffer, start: number): boolean {
  for (let at = start; at < body.length; at++) if (!isSpace(body[at])) return false
  return true
}

/** Reads the object of the body into `found`, and returns the offset after it. */
function scanMembers(input: ScanInput, maxPoints: number, found: Found): number {
  const { bytes } = input
  let at = skipSpace(bytes, 0)
  if (bytes[at] !== LEFT_BRACE) return GIVE_UP
  for (let members = 0; members < MAX_MEMBERS; members++) {
    at = scanMember(input, skipSpace(bytes, at + 1), maxPoints, found)
    if (at === GIVE_UP) return GIVE_UP
    at = skipSpace(bytes, at)
    if (bytes[at] === RIGHT_BRACE) return at + 1
    if (bytes[at] !== COMMA) return GIVE_UP
  }
  return GIVE_UP
}

function scanMember(input: ScanInput, start: number, maxPoints: number, found: Found): number {
  const { bytes } = input
  const keyEnd = bytes[start] === QUOTE ? skipPlainString(bytes, start) : GIVE_UP
  const at = keyEnd === GIVE_UP ? GIVE_UP : skipColon(bytes, keyEnd)
  if (at === GIVE_UP) return GIVE_UP
  const key = bytes.toString('latin1', start + 1, keyEnd - 1)
  if (key !== 'points' && key !== 'track' && key !== 'stats') return skipPlainMember(bytes, start)
  if (key in found) return GIVE_UP
  if (key !== 'points') return scanObjectOrNull(bytes, at, key, found)
  const scanned = scanPoints(input, at, maxPoints)
  found.points = scanned?.points
  return scanned?.end ?? GIVE_UP
}

/** Parses the object or null at `start` separately. */
function scanObjectOrNull(bytes: Buffer, start: number, key: 'track' | 'stats', found: Found): number {
  const end = bytes[start] === LEFT_BRACE ? findObjectEnd(bytes, start) : skipNull(bytes, start)
  if (end === GIVE_UP) return GIVE_UP
  try {
    found[key] = parseJson(bytes.subarray(start, end))
    return end
  } catch {
    // The slow path reports the error and its place in the body.
    return GIVE_UP
  }
}

/** Returns the offset after the bracket that closes the one at `start`, whatever is between them. */
function findObjectEnd(bytes: Buffer, start: number): number {
  const limit = Math.min(bytes.length, start + MAX_OBJECT_BYTES)
  let depth = 0
  for (let at = start; at < limit; at++) {
    const byte = bytes[at]
    if (byte === QUOTE) at = skipAnyString(bytes, at) - 1
    else if (byte === LEFT_BRACE || byte === LEFT_BRACKET) depth++
    else if (byte === RIGHT_BRACE || byte === RIGHT_BRACKET) depth--
    if (depth > MAX_OBJECT_DEPTH) return GIVE_UP
    if (depth === 0) return at + 1
  }
  return GIVE_UP
}
