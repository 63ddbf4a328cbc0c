import { badRequest, payloadTooLarge } from '#platform/errors.ts'
import { parseJson } from '#platform/http/json/parse-json.ts'

/** Most values of a body: the largest batch of Overland, 1,000 points with all it can send, has some 30,000. */
const MAX_VALUES = 40_000

/** Largest body of an app that sends one position in a request. They have some 400 bytes. */
export const MAX_POSITION_BYTES = 16_384
/** Most fields of a position. GPSLogger, which sends most, has 30. */
const MAX_FIELDS = 100

const AMPERSAND = '&'
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
  if (text.split(AMPERSAND, MAX_FIELDS + 1).length > MAX_FIELDS) throw tooManyFields()
  return new URLSearchParams(text)
}

function tooManyFields() {
  return badRequest({ detail: `A position may have ${MAX_FIELDS} fields.` })
}
