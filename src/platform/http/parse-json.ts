import { isUtf8 } from 'node:buffer'
import { type AppError, badRequest } from '../basics/errors.ts'
import { findJsonFault } from './parse-json-fault.ts'

const BYTE_ORDER_MARK = Buffer.from('\ufeff')
const LINE_BREAK = 0x0a

/** Tells whether a value is a JSON object, and neither null nor an array. */
export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

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

/** Maximum nesting of arrays and objects. No request needs more than 4. */
const MAX_JSON_DEPTH = 64

/**
 * Maximum number of values in a body without points. Time and memory depend on it more than on the bytes: half a
 * million small objects fit into 1 MiB. The largest request, the 5,000 pages of a reading report, needs a tenth of it.
 */
const MAX_JSON_VALUES = 50_000

/** Bounds of the parsed text. */
export type JsonLimits = {
  maxValues: number
  /** Most members of objects, which take several times the memory of other values. */
  maxMembers: number
  /** Most escapes in strings and keys, of which each takes 50 times as long as another byte. */
  maxEscapes: number
}

/**
 * Limits of requests with a few fields, from anybody who has a token or a key: they keep parsing a megabyte of any
 * content at some milliseconds, and not 40.
 */
export const FEW_FIELDS: JsonLimits = { maxValues: 5_000, maxMembers: 5_000, maxEscapes: 20_000 }

const QUOTE = 0x22
const COMMA = 0x2c
const COLON = 0x3a
const BACKSLASH = 0x5c

/**
 * Checks whether the JSON text in `bytes` is nested too deeply (`'depth'`), or holds more than it may. Reads only
 * brackets, commas and colons outside strings and backslashes in them, and allocates no memory, so a body made to
 * exhaust memory, stack or time is refused before `JSON.parse` sees it. For malformed text, any result is correct.
 */
function exceededJsonLimit(
  bytes: Uint8Array,
  { maxValues, maxMembers, maxEscapes }: JsonLimits,
): 'depth' | 'values' | 'members' | 'escapes' | undefined {
  let depth = 0
  let values = 1
  let members = 0
  let escapes = 0
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at]
    if (byte === QUOTE) {
      for (at++; at < bytes.length && bytes[at] !== QUOTE; at++) {
        if (bytes[at] !== BACKSLASH) continue
        at++
        if (++escapes > maxEscapes) return 'escapes'
      }
    } else if (byte === COMMA) values++
    else if (byte === COLON) members++
    else if (isOpening(byte)) {
      if (++depth > MAX_JSON_DEPTH) return 'depth'
    } else if (isClosing(byte)) {
      depth--
      // A container's first value has no comma before it.
      if (!isEmptyUntil(bytes, at)) values++
    }
    if (values > maxValues) return 'values'
    if (members > maxMembers) return 'members'
  }
  return undefined
}

/** Tests for `[` and `{`, which differ in one bit. So do `]` and `}`. */
function isOpening(byte: number): boolean {
  return (byte | 0x20) === 0x7b
}

function isClosing(byte: number): boolean {
  return (byte | 0x20) === 0x7d
}

/** Tells whether only white space separates the bracket at `closing` from its opening one. */
function isEmptyUntil(bytes: Uint8Array, closing: number): boolean {
  let at = closing - 1
  while (at >= 0 && bytes[at] <= 0x20) at--
  return at >= 0 && isOpening(bytes[at])
}

const LETTER_U = 0x75

/** Offset of an escape for a character that is valid in JSON but that databases and other programs reject. */
type UnusableEscape = { offset: number; reason: 'surrogate' | 'nul' }

/**
 * Finds the first escape in valid JSON text that stands for half a surrogate pair or for U+0000.
 * The bytes are valid UTF-8 and control characters must be escaped, so neither can occur in any other form.
 * Searches the text instead of the parsed value, which lacks the values that a repeated key replaced.
 */
function findUnusableEscape(json: Buffer): UnusableEscape | undefined {
  if (!mayHaveOne(json)) return undefined
  // A native search for each backslash would take ten times as long in text that consists of escapes.
  for (let at = json.indexOf(BACKSLASH); at < json.length; ) {
    if (json[at] !== BACKSLASH) {
      at++
      continue
    }
    const end = json[at + 1] === LETTER_U ? afterUnicodeEscape(json, at) : at + 2
    if (end === -1) return { offset: at, reason: codeUnitAt(json, at) === 0 ? 'nul' : 'surrogate' }
    at = end
  }
  return undefined
}

/** Rules out most bodies, which have no such escape, by a native search. */
function mayHaveOne(json: Buffer): boolean {
  return json.includes('\\ud') || json.includes('\\uD') || json.includes('\\u0000')
}

/** Returns the offset after the escape at `at`, or after the pair of escapes of one character; -1 if it is unusable. */
function afterUnicodeEscape(json: Buffer, at: number): number {
  const unit = codeUnitAt(json, at)
  if (unit === 0 || isLowSurrogate(unit)) return -1
  if (!isHighSurrogate(unit)) return at + 6
  const isPair = json[at + 6] === BACKSLASH && json[at + 7] === LETTER_U && isLowSurrogate(codeUnitAt(json, at + 6))
  return isPair ? at + 12 : -1
}

function codeUnitAt(json: Buffer, backslash: number): number {
  let unit = 0
  for (let at = backslash + 2; at < backslash + 6; at++) unit = unit * 16 + hexDigit(json[at])
  return unit
}

function hexDigit(byte: number): number {
  return byte <= 0x39 ? byte - 0x30 : (byte | 0x20) - 0x57
}

function isHighSurrogate(unit: number): boolean {
  return unit >= 0xd800 && unit <= 0xdbff
}

function isLowSurrogate(unit: number): boolean {
  return unit >= 0xdc00 && unit <= 0xdfff
}
