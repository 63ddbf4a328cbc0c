import { randomUUID } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { deriveKeys, type Secrets } from '#platform/basics/secrets.ts'
import { createAddressSigner } from '#platform/credentials/signed-address.ts'
import { openToken, sealToken } from '#platform/credentials/token.ts'

/** A cookie of this server's own pages, hidden from scripts and other sites. */
export type HostCookie = ReturnType<typeof createHostCookie>

/**
 * Creates a cookie of the address `baseUrl`. With https, the prefix `__Host-` binds it to this host and to TLS
 * (RFC 6265bis, 4.1.3). `SameSite=Strict` keeps it out of every request that another site causes. A link in a mail
 * still leads to the dashboard signed in: the page itself needs no cookie, and its requests come from its own site.
 */
export function createHostCookie(plainName: string, baseUrl: () => string) {
  const isBound = () => baseUrl().startsWith('https://')
  const name = () => (isBound() ? `__Host-${plainName}` : plainName)

  function set(reply: FastifyReply, value: string, maxAgeSec: number): void {
    const secure = isBound() || reply.request.protocol === 'https'
    const options = { path: '/', maxAge: maxAgeSec, httpOnly: true, sameSite: 'strict', secure } as const
    const cookie = reply.server.serializeCookie(name(), value, options)
    // On the raw response, so that it is also sent with a response that a route writes itself.
    const others = [reply.raw.getHeader('set-cookie') ?? []].flat().filter((other) => !isNamed(String(other), name()))
    reply.raw.setHeader('set-cookie', [...others.map(String), cookie])
  }

  return {
    /** Returns the value that a request carries; undefined without the cookie. */
    read: ({ headers, server }: FastifyRequest): string | undefined => server.parseCookie(headers.cookie ?? '')[name()],
    /** Sets the cookie for a lifetime. */
    write: (reply: FastifyReply, value: string, lifetimeMs: number): void =>
      set(reply, value, Math.floor(lifetimeMs / 1000)),
    /** Deletes the cookie in the browser. */
    clear: (reply: FastifyReply): void => set(reply, '', 0),
  }
}

function isNamed(cookie: string, name: string): boolean {
  return cookie.startsWith(`${name}=`)
}

/**
 * A cookie that carries the state of something begun, such as a sign-in that waits for its second
 * factor. The browser can neither read nor change it. Nothing is stored, so that strangers cannot fill
 * the database, and any instance can go on.
 */
export type SealedCookie<Value extends object> = {
  write(reply: FastifyReply, value: Value): void
  /** Returns the value; undefined without the cookie, or once it has expired. */
  read(request: FastifyRequest): Value | undefined
  clear(reply: FastifyReply): void
}

type Options = { secrets: Secrets; baseUrl: () => string; now: () => number; lifetimeMs: number }

/** Creates such a cookie. Each name has a key of its own, so that no cookie is taken for another. */
export function createSealedCookie<Value extends object>(
  name: string,
  { secrets, baseUrl, now, lifetimeMs }: Options,
): SealedCookie<Value> {
  const keys = deriveKeys(secrets, `cookie ${name}`)
  const cookie = createHostCookie(name, baseUrl)
  return {
    write(reply, value) {
      const sealed = sealToken(JSON.stringify({ value, expiresAtMs: now() + lifetimeMs }), keys)
      cookie.write(reply, sealed.toString('base64url'), lifetimeMs)
    },

    read(request) {
      const text = openToken(Buffer.from(cookie.read(request) ?? '', 'base64url'), keys)
      if (text === undefined) return undefined
      const { value, expiresAtMs } = JSON.parse(text) as { value: Value; expiresAtMs: number }
      return now() < expiresAtMs ? value : undefined
    },

    clear: cookie.clear,
  }
}

/** A browser in which this operator has signed in. */
export type KnownBrowser = { id: string; operatorId: string }

/**
 * Browsers in which an operator has signed in. Each has a signed cookie, which OWASP calls a device cookie. It opens
 * nothing: failed attempts from a known browser are counted on their own, so that strangers cannot lock its operator
 * out.
 */
export type KnownBrowsers = ReturnType<typeof createKnownBrowsers>

/** Browsers keep no cookie for more than 400 days (RFC 6265bis, 5.5). */
const LIFETIME_MS = 400 * 86_400_000

/** The request that the cookie is for. */
const SIGN_IN = { method: 'POST', path: '/operator/session' } as const

type KnownBrowsersOptions = { secrets: Secrets; baseUrl: () => string; now: () => number }

export function createKnownBrowsers({ secrets, baseUrl, now }: KnownBrowsersOptions) {
  const signer = createAddressSigner('browsers of operators', secrets)
  const cookie = createHostCookie('trackpress_browser', baseUrl)
  return {
    /** Returns the browser of a request; undefined if it has no valid cookie. */
    find(request: FastifyRequest): KnownBrowser | undefined {
      const verified = signer.verify(SIGN_IN.method, cookie.read(request) ?? '', now())
      if (verified.result !== 'valid') return undefined
      const { browser, operator } = verified.claims
      return { id: browser, operatorId: operator }
    },

    /** Sends the cookie after a successful sign-in. It replaces the cookie of an earlier operator of the browser. */
    remember(reply: FastifyReply, operatorId: string): void {
      const claims = { browser: randomUUID(), operator: operatorId }
      cookie.write(reply, signer.sign({ ...SIGN_IN, claims, expiresAtMs: now() + LIFETIME_MS }), LIFETIME_MS)
    },
  }
}

/**
 * Deletes the cookie of a session that has ended, and lets the browser forget the pages and images that it keeps, so
 * that the next person at it cannot go back to them. Language, units and the cookie of a known browser stay.
 */
export function signBrowserOut(reply: FastifyReply, cookie: HostCookie): void {
  cookie.clear(reply)
  reply.header('clear-site-data', '"cache"')
}
