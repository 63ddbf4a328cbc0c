import { isUtf8 } from 'node:buffer'
import { type AppError, badRequest } from '#platform/errors.ts'
import { findUnusableEscape } from './parse-json-escapes.ts'
import { findJsonFault } from './parse-json-fault.ts'
import { exceededJsonLimit, type JsonLimits, MAX_JSON_DEPTH, MAX_JSON_VALUES } from './parse-json-limits.ts'

const BYTE_ORDER_MARK = Buffer.from('\ufeff')
const LINE_BREAK = 0x0a

/**
 * Parses a JSON body as `JSON.parse` does, and skips a leading byte order mark. `__proto__` is an ordinary property.
 * Throws 400 if the body is empty, is not UTF-8 or JSON, is nested deeper than 64 levels, has more values, members of
 * objects or escapes than it may, or has half a surrogate pair or U+0000 in its text.
 */
export function parseJson(bytes: Buffer, limits: Partial<JsonLimits> = {}): unknown {
  const { maxValues = MAX_JSON_VALUES, maxMembers = maxValues, maxEscapes = Number.POSITIVE_INFINITY } = limits
  if (!isUtf8(bytes)) throw refuse('is not valid UTF-8')
  const json = withoutByteOrderMark(bytes)
  if (json.length === 0) throw refuse('is empty, and must be JSON')
  const limit = exceededJsonLimit(json, { maxValues, maxMembers, maxEscapes })
  if (limit === 'depth') throw refuse(`is nested deeper than ${MAX_JSON_DEPTH} levels`)
  if (limit === 'values') throw refuse(`holds more than ${maxValues} values`)
  if (limit === 'members') throw refuse(`holds more than ${maxMembers} members of objects`)
  if (limit === 'escapes') throw refuse(`holds more than ${maxEscapes} escapes`)
  const value = parseOrRefuse(json)
  refuseUnusableText(json)
  return value
}

function withoutByteOrderMark(bytes: Buffer): Buffer {
  const hasMark = bytes.length >= 3 && bytes.compare(BYTE_ORDER_MARK, 0, 3, 0, 3) === 0
  return hasMark ? bytes.subarray(3) : bytes
}

function parseOrRefuse(json: Buffer): unknown {
  try {
    return JSON.parse(json.toString('utf8'))
  } catch (error) {
    const fault = findJsonFault(json)
    // The text is valid JSON, so parsing failed for a reason that is not the client's.
    if (fault === undefined) throw error
    // The error is not passed on: it quotes the body, which must not get into a log.
    if (fault === json.length) throw refuse('is not valid JSON: it ends too early')
    throw refuse(`is not valid JSON: unexpected character at ${lineAndColumn(json, fault)}`)
  }
}

function refuseUnusableText(json: Buffer): void {
  const found = findUnusableEscape(json)
  if (found === undefined) return
  const what = found.reason === 'nul' ? 'the character U+0000' : 'half a surrogate pair'
  throw refuse(`must not contain ${what}, as at ${lineAndColumn(json, found.offset)}`)
}

/**
 * Returns the position of a byte as an editor shows it: line and column count from 1, the column in characters. Looks
 * at each byte once: a native search for each line break would take a hundred times as long in a body of line breaks.
 */
function lineAndColumn(json: Buffer, offset: number): string {
  let line = 1
  let column = 1
  for (let at = 0; at < offset; at++) {
    const byte = json[at]
    if (byte === LINE_BREAK) {
      line++
      column = 1
    } else if ((byte & 0xc0) !== 0x80) {
      // Every byte of a character except its first is 10xxxxxx.
      column++
    }
  }
  return `line ${line}, column ${column}`
}

function refuse(message: string): AppError {
  return badRequest({ detail: `The body ${message}.`, errors: [{ path: '', message }] })
}
