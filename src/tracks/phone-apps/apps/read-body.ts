import { parseJson } from '#platform/http/json/parse-json.ts'

/** Most values of a body: the largest batch of Overland, 1,000 points with all it can send, has some 30,000. */
const MAX_VALUES = 200_000

const LEFT_BRACE = 0x7b
const LEFT_BRACKET = 0x5b

/** Tells whether a body is JSON by its first character. Apps send forms and JSON with either type, or without one. */
export function isJson(body: Buffer): boolean {
  const first = body.find((byte) => byte > 0x20)
  return first === LEFT_BRACE || first === LEFT_BRACKET
}

/** Parses a JSON body. @throws badRequest */
export function readJson(body: Buffer): unknown {
  return parseJson(body, MAX_VALUES)
}

/** Returns the fields of a request from its query and from a form in its body, which counts where both have one. */
export function readFields(query: URLSearchParams, body: Buffer): ReadonlyMap<string, string> {
  return new Map([...query, ...new URLSearchParams(body.toString('utf8'))])
}
