import { badRequest, payloadTooLarge } from '#platform/basics/errors.ts'
import { readDecimal } from '#platform/basics/text.ts'
import { isObject, parseJson } from '#platform/http/parse-json.ts'
import type { AltitudeReference } from '../points/sea-level.ts'

/**
 * A position as an app sent it: the device's own id, if the app sends one, a point that is not checked yet, and the
 * zero of its altitude, if the app or its system tells.
 */
export type PhoneFix = {
  deviceId: string | undefined
  point: PhonePoint
  altitudeReference?: AltitudeReference | undefined
}

/**
 * The fields of a point, by their names in the API. Undefined fields are absent; wrong ones are for the check to find.
 */
type PhonePoint = {
  latitude: unknown
  longitude: unknown
  timestamp: unknown
  altitude?: number | undefined
  accuracy?: number | undefined
  speed_mps?: number | undefined
  heading?: number | undefined
  battery?: number | undefined
}

/** A request of an app: its query as sent, its body, and its headers with names in lower case. */
export type PhoneRequest = {
  query: string
  body: Buffer
  headers: Readonly<Record<string, string | string[] | undefined>>
}

/** Returns the positions of a request, in any order. @throws badRequest for a body that cannot be read */
export type ReadFixes = (request: PhoneRequest) => PhoneFix[]

/** 1 knot is 1,852 m per hour (SI brochure, table 8, 8th edition). */
const MPS_PER_KNOT = 1852 / 3600
const MPS_PER_KMH = 1 / 3.6

/** Numbers below it are seconds since 1970, others milliseconds. As milliseconds it is in January 1970. */
const MAX_EPOCH_SEC = 2_147_483_648

/** Longest number or time: a float takes 24 characters, a date-time with nanoseconds and an offset 35. */
const MAX_VALUE_LENGTH = 40
/** Longest text, in UTF-16 units. The topic of OwnTracks, the longest that an app sends, has some 50. */
const MAX_TEXT_LENGTH = 1000

/** `2015-10-01T08:00:00-0700`, also with a space for the `T`. */
const DATE_TIME = /^(\d{4}-\d\d-\d\d)[T ](\d\d:\d\d:\d\d(?:\.\d+)?)(?:(Z)|([+-]\d\d):?(\d\d))?$/i

/**
 * Returns a number from a number or its text; undefined for anything else, such as an empty or very long text or `NaN`.
 */
export function readNumber(value: unknown): number | undefined {
  const number = isShort(value) ? readDecimal(value) : value
  return typeof number === 'number' && Number.isFinite(number) ? number : undefined
}

/** Returns a coordinate as a number where its text is one. Anything else stays, so that the error names it. */
export function readCoordinate(value: unknown): unknown {
  return readNumber(value) ?? value
}

/**
 * Returns a time as RFC 3339 writes it: from seconds or milliseconds since 1970, and from a date-time with an offset
 * that has no colon, or none, which is UTC. Anything else stays, so that the error names it.
 */
export function readTime(value: unknown): unknown {
  const epoch = readNumber(value)
  if (epoch !== undefined) {
    const time = new Date(Math.floor(epoch < MAX_EPOCH_SEC ? epoch * 1000 : epoch))
    return Number.isNaN(time.getTime()) ? value : time.toISOString()
  }
  const [, date, clock, , hours, minutes] = (isShort(value) && DATE_TIME.exec(value.trim())) || []
  if (date === undefined) return value
  return `${date}T${clock}${hours === undefined ? 'Z' : `${hours}:${minutes}`}`
}

/** Returns a speed in m/s from knots. A negative one stays negative: unknown. */
export function speedOfKnots(value: unknown): number | undefined {
  return scaled(value, MPS_PER_KNOT)
}

/** Returns a speed in m/s from km/h. */
export function speedOfKmh(value: unknown): number | undefined {
  return scaled(value, MPS_PER_KMH)
}

/** Returns a level of 0 to 1 from percent. */
export function levelOfPercent(value: unknown): number | undefined {
  return scaled(value, 0.01)
}

/** Returns an accuracy in meters. Android's 0 means that there is none. */
export function readAccuracy(value: unknown): number | undefined {
  const meters = readNumber(value)
  return meters === 0 ? undefined : meters
}

/**
 * Returns a text without control characters and outer spaces; undefined if nothing is left.
 * @throws badRequest for one that is longer than any app's
 */
export function readText(value: unknown): string | undefined {
  const text = typeof value === 'number' ? String(value) : value
  if (typeof text !== 'string') return undefined
  if (text.length > MAX_TEXT_LENGTH) throw badRequest({ detail: `A text may have ${MAX_TEXT_LENGTH} characters.` })
  return text.replace(/\p{Cc}/gu, '').trim() || undefined
}

/** Returns the value at a path of member names; undefined if any is missing. */
export function memberAt(value: unknown, ...path: string[]): unknown {
  let at = value
  for (const name of path) at = isObject(at) ? at[name] : undefined
  return at
}

/** The HTTP library of iOS adds its own name, and then its kernel's. */
const IOS_LIBRARY = /\bCFNetwork\//
const IOS_KERNEL = /\bDarwin\//
const ANDROID_AGENT = /\bAndroid\b/

/** Returns the system of the phone that sent a request, if its HTTP library names it. */
export function systemOf({ headers }: PhoneRequest): 'ios' | 'android' | undefined {
  const agent = readText(headers['user-agent']) ?? ''
  if (IOS_LIBRARY.test(agent) && IOS_KERNEL.test(agent)) return 'ios'
  return ANDROID_AGENT.test(agent) ? 'android' : undefined
}

function isShort(value: unknown): value is string {
  return typeof value === 'string' && value.length <= MAX_VALUE_LENGTH
}

/** Conversions that are exact in decimals stay so: 87% is 0.87, and not 0.8700000000000001. */
const DIGITS = 12

function scaled(value: unknown, factor: number): number | undefined {
  const number = readNumber(value)
  return number === undefined ? undefined : Number((number * factor).toPrecision(DIGITS))
}

/** Most values of a body: the largest batch of Overland, 1,000 points with all it can send, has some 30,000. */
const MAX_VALUES = 40_000

/** Largest body of an app that sends one position in a request. They have some 400 bytes. */
export const MAX_POSITION_BYTES = 16_384
/** Most fields of a position. GPSLogger, which sends most, has 30. */
const MAX_FIELDS = 100

const LEFT_BRACE = 0x7b
const LEFT_BRACKET = 0x5b

/** Tells whether a body is JSON by its first character. Apps send forms and JSON with either type, or without one. */
export function isJson(body: Buffer): boolean {
  const first = body.find((byte) => byte > 0x20)
  return first === LEFT_BRACE || first === LEFT_BRACKET
}

/** Parses a JSON body. @throws badRequest */
export function readJson(body: Buffer): unknown {
  return parseJson(body, { maxValues: MAX_VALUES })
}

/**
 * Returns the fields of a request from its query and from a form in its body, which counts where both have one. Neither
 * is parsed before its size is known.
 * @throws payloadTooLarge, badRequest
 */
export function readFields(query: string, body: Buffer): ReadonlyMap<string, string> {
  if (body.length > MAX_POSITION_BYTES)
    throw payloadTooLarge({ detail: `A form may have ${MAX_POSITION_BYTES} bytes.` })
  return new Map([...parseForm(query), ...parseForm(body.toString('utf8'))])
}

function parseForm(text: string): URLSearchParams {
  // One more part than allowed is enough to know.
  const count = text.split('&', MAX_FIELDS + 1).length
  if (count > MAX_FIELDS) throw badRequest({ detail: `A position may have ${MAX_FIELDS} fields.` })
  return new URLSearchParams(text)
}
