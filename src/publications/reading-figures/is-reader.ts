import type { IncomingHttpHeaders } from 'node:http'

/** The parts of a request that distinguish a person's browser from programs. */
type ReaderRequest = { method: string; headers: IncomingHttpHeaders }

/** Words in the names of crawlers and link previews; `cubot` is a phone. */
const VISITORS =
  '(?<!cu)bot|crawl|spider|slurp|preview|facebookexternal|meta-external|embedly|google-|googleother|headless'
const WATCHERS = 'lighthouse|pagespeed|pingdom|uptime|monitor|scrape|archiver|feed|fetch'
/** Default user agents of libraries and tools. */
const TOOLS = '^node|^whatsapp|axios|undici|curl|wget|httpie|libwww|python|java/|okhttp|go-http|ruby|perl|php|postman'

/**
 * Matches programs that identify themselves. A short rule instead of a list that ages: the lists of the isbot and
 * crawler-user-agents projects mostly consist of these words.
 */
const PROGRAM = new RegExp(`${VISITORS}|${WATCHERS}|${TOOLS}`, 'i')

/** Destinations at which a browser shows an answer to a person (Fetch Metadata, W3C), and not to a script. */
const SHOWN_IN = new Set(['document', 'iframe', 'frame', 'embed', 'object'])

/**
 * Returns true if a person is about to see the answer: a GET by a browser that is not merely prefetching. Programs that
 * pretend to be a browser are counted.
 */
export function isReader(request: ReaderRequest): boolean {
  const { 'sec-fetch-dest': destination } = request.headers
  const isShown = destination === undefined || SHOWN_IN.has(String(destination))
  return request.method === 'GET' && isShown && isPerson(request.headers)
}

/** Returns true for a request that a person's browser sends, by its headers, and not as a prefetch. */
export function isPerson(headers: IncomingHttpHeaders): boolean {
  const agent = headers['user-agent'] ?? ''
  return agent !== '' && !PROGRAM.test(agent) && !isPrefetch(headers)
}

/** Checks Sec-Purpose (Fetch Standard) and its predecessors. */
function isPrefetch(headers: IncomingHttpHeaders): boolean {
  return ['sec-purpose', 'purpose', 'x-purpose', 'x-moz'].some((name) =>
    /prefetch|prerender|preview/i.test(String(headers[name] ?? '')),
  )
}

/** Returns true if the reader asks not to be tracked: Global Privacy Control, or its predecessor Do Not Track. */
export function asksForPrivacy(headers: IncomingHttpHeaders): boolean {
  return headers['sec-gpc'] === '1' || headers.dnt === '1'
}
