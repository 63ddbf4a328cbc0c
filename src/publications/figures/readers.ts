import { createHmac, randomBytes } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'
import { boundedCache } from '#platform/basics/bounded-cache.ts'
import { deriveKey, type Secrets } from '#platform/basics/secrets.ts'
import { addressGroup } from '#platform/http/client.ts'
import type { FiguresStore } from './store.ts'

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

/** Longer headers are not read: the origin is all that browsers send by default. */
const MAX_REFERRER_LENGTH = 2_000
/** Longest name of a host (RFC 1035, 2.3.4). */
const MAX_HOST_LENGTH = 253

/**
 * Returns the host of the page of another site that led a reader here, or that embeds what is read; undefined without
 * one, and for readers who ask not to be tracked.
 */
export function sourceOf(headers: IncomingHttpHeaders): string | undefined {
  const { referer = '', host } = headers
  if (asksForPrivacy(headers) || referer.length > MAX_REFERRER_LENGTH) return undefined
  const page = URL.parse(referer)
  if (page === null || !/^https?:$/.test(page.protocol) || page.host === host) return undefined
  const name = page.hostname.replace(/^www\./, '')
  return name === '' || name.length > MAX_HOST_LENGTH ? undefined : name
}

/** Hosts of one publication and day that are counted. Anyone can invent more. */
const MAX_SOURCES = 100
/** Publications whose hosts are remembered at a time; one takes at most about 20 kB. */
const MAX_SOURCE_LISTS = 1_000

/** Limits the hosts that are counted for each publication in a day. */
export class KnownSources {
  readonly #hosts = boundedCache<Set<string>>(MAX_SOURCE_LISTS)

  mayCount(publicationId: string, day: string, host: string): boolean {
    const key = `${publicationId} ${day}`
    const hosts = this.#hosts.get(key) ?? new Set<string>()
    this.#hosts.set(key, hosts)
    if (hosts.size < MAX_SOURCES) hosts.add(host)
    return hosts.has(host)
  }
}

const HOUR_MS = 3_600_000

/**
 * New readers of an address in an hour, over all publications. A reader is an address and a user
 * agent, so that one address could invent any number; a school or an office behind one address
 * rarely has more that are new within the hour.
 */
const MAX_PER_ADDRESS = 100
/** A /48 is the most that providers assign to one subscriber (RFC 6177), and has 65,536 networks. */
const MAX_PER_SITE = 500

/** Reading time that an address can add in an hour: so many readers, all of whom read the whole hour. */
const MAX_SECONDS_PER_ADDRESS = (MAX_PER_ADDRESS * HOUR_MS) / 1_000

/** Each entry takes about 200 bytes. Readers and addresses that have been forgotten count again. */
const MAX_ENTRIES = 50_000

type Allowance = { hour: number; left: number }

/**
 * Limits the readers and the reading time that one address can add to the figures. Addresses are kept hashed, in
 * memory only, with a key of this process.
 */
export class NewReaders {
  readonly #key = randomBytes(32)
  readonly #counted = boundedCache<true>(MAX_ENTRIES)
  readonly #allowances = boundedCache<Allowance>(MAX_ENTRIES)

  /** Returns true for a reader who was counted before, and for a new one if the address may add another. */
  mayCount(reader: string, address: string, nowMs: number): boolean {
    if (this.#counted.get(reader) === true) return true
    const group = addressGroup(address)
    const hour = Math.floor(nowMs / HOUR_MS)
    const allowances = [this.#allowanceOf(group, MAX_PER_ADDRESS, hour)]
    const site = siteOf(group)
    if (site !== undefined) allowances.push(this.#allowanceOf(site, MAX_PER_SITE, hour))
    if (allowances.some(({ left }) => left === 0)) return false
    for (const allowance of allowances) allowance.left--
    this.#counted.set(reader, true)
    return true
  }

  /** Returns how much of a reported reading time an address may still add. */
  secondsToCount(seconds: number, address: string, nowMs: number): number {
    const key = `seconds ${addressGroup(address)}`
    const allowance = this.#allowanceOf(key, MAX_SECONDS_PER_ADDRESS, Math.floor(nowMs / HOUR_MS))
    const counted = Math.min(seconds, allowance.left)
    allowance.left -= counted
    return counted
  }

  #allowanceOf(network: string, limit: number, hour: number): Allowance {
    const key = createHmac('sha256', this.#key).update(network).digest('base64url')
    const known = this.#allowances.get(key)
    if (known?.hour === hour) return known
    const fresh = { hour, left: limit }
    this.#allowances.set(key, fresh)
    return fresh
  }
}

/** Returns the /48 of a /64; undefined for an IPv4 address. */
function siteOf(group: string): string | undefined {
  return group.endsWith('::/64') ? `${group.split(':', 3).join(':')}::/48` : undefined
}

/** The traits of a request that distinguish readers. They are never stored. */
type ReaderTraits = { address: string; userAgent: string }

/** Returns the identifier of a reader of a publication for the rest of a day. */
export type ReaderHash = (day: string, publicationId: string, traits: ReaderTraits) => Promise<string>

const SALT_BYTES = 32
const HASH_LENGTH = 22

/**
 * Identifies readers without cookies, like Plausible Analytics (https://plausible.io/data-policy): a hash of the
 * address and the user agent with a random salt that is deleted after its day, so that nobody can tell who it was,
 * nor recognize the reader on another day. The hash includes the publication, so that a reader of two publications
 * counts as two; and a key outside of the database, because addresses are few enough to try them all with the
 * salt. An IPv6 address counts by its network, because the rest of it changes on its own. With a new secret, who
 * has read before counts once more that day.
 */
export function createReaderHash(salts: Pick<FiguresStore, 'saltOf'>, [newest]: Secrets): ReaderHash {
  const key = deriveKey(newest, 'readers')
  let today: { day: string; salt: Promise<Uint8Array> } | undefined

  async function saltOf(day: string): Promise<Uint8Array> {
    if (today?.day !== day) today = { day, salt: salts.saltOf(day, randomBytes(SALT_BYTES)) }
    const { salt } = today
    try {
      return await salt
    } catch (error) {
      if (today?.salt === salt) today = undefined
      throw error
    }
  }

  return async (day, publicationId, { address, userAgent }) => {
    const salted = createHmac('sha256', key).update(await saltOf(day))
    const traits = JSON.stringify([publicationId, addressGroup(address), userAgent])
    return createHmac('sha256', salted.digest()).update(traits).digest('base64url').slice(0, HASH_LENGTH)
  }
}
