import type { ListedRoute } from './route-list.ts'

/** A request with one long value; `field` names its place. */
export type LongRequest = {
  field: string
  method: string
  path: string
  headers: Record<string, string>
  body: string | undefined
}

/** Values of the fields of a route where they are not long. */
export type KnownValues = { params: Record<string, string>; headers: Record<string, string> }

/** Beginnings, repetitions and ends that made something quadratic once, or might. */
const PUMPS: readonly [begin: string, repeated: string, end: string][] = [
  ['', '7', 'x'],
  ['', ' ', 'x x'],
  ['a', '.', 'a'],
  ['a', '/', 'a'],
  ['', 'é', ''],
  ['', '\u0316\u0301', 'x'],
  ['"', '\\"', ''],
  ['', 'a,', ''],
  ['a;', '\t', '"'],
  ['', '<', ''],
  ['', '=', 'x'],
  ['', '[', ''],
  ['-', '0-1,', ''],
  ['', 'W/"', ''],
  ['2026-05-03T06:15:00.', '0', 'Z0'],
  ['', 'a-', '\u0001'],
  ['', '%f0', ''],
  ['a', '&a=1', ''],
]

/** As long as the head of a request allows. */
const HEAD_LENGTH = 12_000

/** Headers that the program, the framework or a proxy reads on any route. */
const HEADERS = [
  'accept',
  'accept-encoding',
  'accept-language',
  'authorization',
  'cache-control',
  'content-disposition',
  'content-encoding',
  'content-type',
  'cookie',
  'expect',
  'forwarded',
  'host',
  'idempotency-key',
  'if-match',
  'if-modified-since',
  'if-none-match',
  'if-range',
  'last-event-id',
  'origin',
  'prefer',
  'purpose',
  'range',
  'referer',
  'sec-fetch-dest',
  'sec-fetch-site',
  'sec-purpose',
  'traceparent',
  'tracestate',
  'user-agent',
  'via',
  'x-api-key',
  'x-doctor',
  'x-forwarded-for',
  'x-forwarded-host',
  'x-forwarded-proto',
  'x-limit-d',
  'x-limit-u',
  'x-request-id',
]

/** Content types of bodies that are no JSON. */
const FORM_TYPE = 'application/x-www-form-urlencoded'
const TYPES = ['multipart/form-data; boundary=a', 'text/plain', 'text/csv', 'application/gpx+xml', 'application/pdf']

/**
 * Returns requests that have a long value in each field of a route: each repetition; or with `turn` one of them, which
 * in every second field is digits, at which most parsers look.
 */
export function* longRequests(
  route: ListedRoute,
  known: KnownValues,
  { bodyLength, turn }: { bodyLength: number; turn: number | undefined },
): Generator<LongRequest> {
  const ordinary = ordinaryRequest(route, known)
  let count = turn ?? 0
  const valuesOf = function* (length: number) {
    if (turn === undefined) for (let at = 0; at < PUMPS.length; at++) yield longValue(at, length)
    else yield longValue(count % 2 === 0 ? 0 : 1 + (((count - 1) / 2) % (PUMPS.length - 1)), length)
    count++
  }
  for (const name of paramNames(route.url)) {
    for (const value of valuesOf(HEAD_LENGTH)) {
      const params = { ...known.params, [name]: encodeURIComponent(value.slice(0, HEAD_LENGTH / 6)) }
      yield { ...ordinary, field: `path ${name}`, path: pathOf(route.url, params) }
    }
  }
  for (const name of [...Object.keys(route.querystring?.properties ?? {}), 'unknown']) {
    for (const value of valuesOf(HEAD_LENGTH)) {
      const query = queryOf(route, { [name]: value }).slice(0, HEAD_LENGTH)
      yield { ...ordinary, field: `query ${name}`, path: `${pathOf(route.url, known.params)}?${query}` }
    }
  }
  // Which headers are read does not depend on the path, except for those in schemas, so routes take turns with others.
  const own = Object.keys(route.headers?.properties ?? {})
  const shared = turn === undefined ? HEADERS : [0, 1].map((i) => HEADERS[(2 * turn + i) % HEADERS.length])
  for (const name of new Set([...own, ...shared])) {
    for (const value of valuesOf(HEAD_LENGTH)) {
      const text = value.replace(/[^\t\x20-\x7e]/g, '%').trim()
      yield { ...ordinary, field: `header ${name}`, headers: { ...ordinary.headers, [name.toLowerCase()]: text } }
    }
  }
  if (route.method === 'GET' || route.method === 'HEAD' || route.method === 'DELETE') return
  for (const value of valuesOf(bodyLength)) {
    yield { ...ordinary, field: 'body', body: value }
    const type = TYPES[count % TYPES.length]
    for (const each of turn === undefined ? TYPES : [type]) {
      const headers = { ...ordinary.headers, 'content-type': each }
      yield { ...ordinary, field: `body as ${each}`, headers, body: value }
    }
  }
  for (const name of Object.keys(route.querystring?.properties ?? {})) {
    const headers = { ...ordinary.headers, 'content-type': FORM_TYPE }
    for (const value of valuesOf(bodyLength)) {
      yield { ...ordinary, field: `form ${name}`, headers, body: queryOf(route, { [name]: value }) }
    }
  }
  const whole = route.body === undefined ? { any: '' } : sampleOf(route.body)
  const least = route.body === undefined ? {} : sampleOf(route.body, true)
  for (const place of placesIn(whole)) {
    for (const value of valuesOf(bodyLength)) {
      const body = JSON.stringify(withValue(partOf(whole, least, place), place, value))
      yield { ...ordinary, field: `body ${place.join('/')}`, body }
    }
  }
}

/** Returns a request of a route with values from its examples. */
export function ordinaryRequest(route: ListedRoute, known: KnownValues): LongRequest {
  const { method, url, body } = route
  const hasBody = method !== 'GET' && method !== 'HEAD' && method !== 'DELETE'
  return {
    field: 'ordinary',
    method,
    path: `${pathOf(url, known.params)}?${queryOf(route, {})}`,
    headers: hasBody ? { ...known.headers, 'content-type': 'application/json' } : known.headers,
    body: hasBody ? JSON.stringify(body === undefined ? {} : sampleOf(body, true)) : undefined,
  }
}

function longValue(index: number, length: number): string {
  const [begin, repeated, end] = PUMPS[index % PUMPS.length]
  return begin + repeated.repeat(Math.floor((length - begin.length - end.length) / Buffer.byteLength(repeated))) + end
}

/** Returns a query with the required parameters and these. */
function queryOf({ querystring }: ListedRoute, values: Record<string, string>): string {
  const required = querystring === undefined ? {} : (sampleOf(querystring, true) as Record<string, string>)
  return new URLSearchParams({ ...required, ...values }).toString()
}

function paramNames(url: string): string[] {
  return [...url.matchAll(/:(\w+)|\*/g)].map(([whole, name]) => name ?? whole)
}

function pathOf(url: string, params: Record<string, string>): string {
  return url.replace(/:(\w+)|\*/g, (whole, name) => params[name ?? whole] ?? 'unknown')
}

type Schema = {
  const?: unknown
  enum?: unknown[]
  examples?: unknown[]
  default?: unknown
  anyOf?: Schema[]
  type?: string | string[]
  properties?: Record<string, Schema>
  required?: string[]
  items?: Schema
}

/** Returns a value that a schema describes, with all members or the required ones, from its examples. */
function sampleOf(schema: object, isLeast = false): unknown {
  const { const: only, enum: choices, examples, anyOf, type, properties, required, items } = schema as Schema
  if (only !== undefined) return only
  if (properties !== undefined) {
    const members = Object.entries(properties).filter(([name]) => !isLeast || required?.includes(name))
    return Object.fromEntries(members.map(([name, member]) => [name, sampleOf(member, isLeast)]))
  }
  if (items !== undefined) return [sampleOf(items, isLeast)]
  if (examples?.[0] !== undefined) return examples[0]
  if (choices !== undefined) return choices[0]
  if (anyOf !== undefined) return sampleOf(anyOf[0], isLeast)
  return type === 'number' || type === 'integer' ? 1 : type === 'boolean' ? true : 'text'
}

/** Returns the paths of all values in a sample that are no containers. */
function placesIn(value: unknown): string[][] {
  if (typeof value !== 'object' || value === null) return [[]]
  return Object.entries(value).flatMap(([name, member]) => placesIn(member).map((place) => [name, ...place]))
}

/** Returns the least sample with the member of the whole one that a place is in. */
function partOf(whole: unknown, least: unknown, [name]: string[]): unknown {
  if (name === undefined || Array.isArray(whole)) return whole
  return { ...(least as object), [name]: (whole as Record<string, unknown>)[name] }
}

function withValue(sample: unknown, [name, ...rest]: string[], value: string): unknown {
  if (name === undefined) return value
  const copy = Array.isArray(sample) ? [...sample] : { ...(sample as object) }
  const members = copy as Record<string, unknown>
  members[name] = withValue(members[name], rest, value)
  return copy
}
