import type { IncomingHttpHeaders } from 'node:http'

/** What tells a person's browser from everything else that asks for pages. */
export type ReaderRequest = { method: string; headers: IncomingHttpHeaders }

/** Words by which crawlers, previews of links and monitors name themselves; `cubot` is a phone. */
const VISITORS =
  '(?<!cu)bot|crawl|spider|slurp|preview|facebookexternal|meta-external|embedly|google-|googleother|headless'
const WATCHERS = 'lighthouse|pagespeed|pingdom|uptime|monitor|scrape|archiver|feed|fetch'
/** What libraries and tools send for themselves. */
const TOOLS = '^node|^whatsapp|axios|undici|curl|wget|httpie|libwww|python|java/|okhttp|go-http|ruby|perl|php|postman'

/**
 * Programs that say what they are. A short rule rather than a list that ages: the lists of the isbot and
 * crawler-user-agents projects are of these words for the most part.
 */
const PROGRAM = new RegExp(`${VISITORS}|${WATCHERS}|${TOOLS}`, 'i')

/** Where a browser shows an answer to somebody (Fetch Metadata, W3C), and not to a script. */
const SHOWN_IN = new Set(['document', 'iframe', 'frame', 'embed', 'object'])

/**
 * Whether somebody is about to look at the answer: a GET by a browser that is not merely prefetching. Whoever pretends
 * to be one is believed.
 */
export function isReader(request: ReaderRequest): boolean {
  const { 'sec-fetch-dest': destination } = request.headers
  const isShown = destination === undefined || SHOWN_IN.has(String(destination))
  return request.method === 'GET' && isShown && isPerson(request.headers)
}

/** Whether a browser that somebody uses sends a request, as far as it says, and not only in case that they go on. */
export function isPerson(headers: IncomingHttpHeaders): boolean {
  const agent = headers['user-agent'] ?? ''
  return agent !== '' && !PROGRAM.test(agent) && !isPrefetch(headers)
}

/** Sec-Purpose (Fetch Standard), and what browsers sent before it. */
function isPrefetch(headers: IncomingHttpHeaders): boolean {
  return ['sec-purpose', 'purpose', 'x-purpose', 'x-moz'].some((name) =>
    /prefetch|prerender|preview/i.test(String(headers[name] ?? '')),
  )
}

/** Whether somebody asks not to be followed: Global Privacy Control, or Do Not Track before it. */
export function asksForPrivacy(headers: IncomingHttpHeaders): boolean {
  return headers['sec-gpc'] === '1' || headers.dnt === '1'
}
