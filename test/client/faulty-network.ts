import type { Fetch } from '../../clients/typescript/src/queue/exchange.ts'

type Given = { status: number; body: string; headers?: Record<string, string> }

/** An answer of the service. */
const problem = (status: number, code: string, headers = {}): Given => ({
  status,
  headers: { 'content-type': 'application/problem+json', 'trackpress-api': '1', ...headers },
  body: JSON.stringify({ type: 'about:blank', title: code, status, code, detail: code, request_id: 'r' }),
})
const page = (status: number, headers = {}): Given => ({
  status,
  headers,
  body: '<html><body>Please sign in</body></html>',
})

/** An answer that looks like one of the service, but for its header. */
const forged = (status: number, body: object): Given => ({ status, headers: {}, body: JSON.stringify(body) })

/** What may happen to a request. An answer that is given here does not come from the server. */
export const FAULTS: Record<string, 'lost request' | 'lost answer' | 'broken answer' | Given> = {
  'lost request': 'lost request',
  'lost answer': 'lost answer',
  'broken answer': 'broken answer',
  'captive portal': page(200),
  'captive portal that redirects': page(302, { location: 'http://portal.example/' }),
  'empty success': { status: 200, body: '' },
  'portal without a page': { status: 204, body: '' },
  'portal that creates': forged(201, { id: 'forged' }),
  'portal that knows the track': forged(409, { code: 'CONFLICT', track_id: 'forged' }),
  'portal that finds points invalid': forged(400, {
    code: 'VALIDATION_FAILED',
    errors: [{ path: 'points/0/latitude', message: 'must be <= 90' }],
  }),
  'portal that finds nothing': forged(404, { code: 'NOT_FOUND' }),
  'portal that knows it is gone': forged(410, { code: 'GONE' }),
  'portal that forbids': forged(403, { code: 'FORBIDDEN' }),
  'portal that wants a token': forged(401, { code: 'UNAUTHORIZED' }),
  'portal with a small limit': forged(413, { code: 'PAYLOAD_TOO_LARGE' }),
  'success of another service': { status: 200, body: '{"ok":true}', headers: { 'trackpress-api': '1' } },
  'proxy without a way': page(404),
  'proxy that wants a password': page(401),
  'proxy with a small limit': page(413),
  'bad gateway': page(502),
  'gateway timeout': page(504),
  'internal error': problem(500, 'INTERNAL'),
  'database away': problem(503, 'UNAVAILABLE', { 'retry-after': '2' }),
  'wait of no time': problem(503, 'UNAVAILABLE', { 'retry-after': '0' }),
  'no Retry-After': problem(503, 'UNAVAILABLE'),
  'rate limit': problem(429, 'RATE_LIMIT', { 'retry-after': '30' }),
  'still running': problem(409, 'CONFLICT', { 'retry-after': '1' }),
  'too slow': problem(408, 'REQUEST_TIMEOUT'),
  'date to wait for': problem(503, 'UNAVAILABLE', {
    date: 'Sun, 03 May 2026 06:00:00 GMT',
    'retry-after': 'Sun, 03 May 2026 06:01:00 GMT',
  }),
}

export const FAULT_NAMES = Object.keys(FAULTS)

/** Lets requests through, but for those that `nextFault` names a fault for. */
export function faultyFetch(fetch: Fetch, nextFault: () => string | undefined): Fetch {
  return async (url, init) => {
    const name = nextFault()
    const fault = name === undefined ? undefined : FAULTS[name]
    if (fault === undefined) return await fetch(url, init)
    if (fault === 'lost request') throw new TypeError('Network request failed')
    if (typeof fault === 'object') {
      const get = (header: string) => fault.headers?.[header.toLowerCase()] ?? null
      return { status: fault.status, headers: { get }, text: async () => fault.body }
    }
    const response = await fetch(url, init)
    if (fault === 'lost answer') throw new TypeError('Network request failed')
    const text = await response.text()
    const cut = text.slice(0, Math.floor(text.length / 2))
    // A body that breaks off is an error of its stream, and an empty one cannot break off.
    if (cut === '') throw new TypeError('Network request failed')
    return { ...response, text: async () => cut }
  }
}

/** Lets answers to invalid points look like those of a server that cannot be lenient, or that names no point. */
export function refusingFetch(fetch: Fetch, refusals: 'lenient' | 'strict' | 'wordless'): Fetch {
  if (refusals === 'lenient') return fetch
  return async (url, { headers: { Prefer: _, ...headers }, ...init }) => {
    const response = await fetch(url, { ...init, headers })
    if (refusals === 'strict' || response.status !== 400) return response
    const { errors: __, ...problem } = JSON.parse(await response.text())
    return { ...response, text: async () => JSON.stringify(problem) }
  }
}
