import { randomUUID } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Secrets } from '#platform/security/secret.ts'
import { createAddressSigner } from '#platform/security/signed-address.ts'
import { createHostCookie } from './host-cookie.ts'

/** A browser in which this operator has signed in. */
export type KnownBrowser = { id: string; operatorId: string }

/**
 * Browsers in which an operator has signed in. Each has a signed cookie, which OWASP calls a device cookie. It opens
 * nothing: failed attempts from a known browser are counted on their own, so that strangers cannot lock its operator
 * out.
 */
export type KnownBrowsers = {
  /** Returns the browser of a request; undefined if it has no valid cookie. */
  find(request: FastifyRequest): KnownBrowser | undefined
  /** Sends the cookie after a successful sign-in. It replaces that of an operator who used the browser before. */
  remember(reply: FastifyReply, operatorId: string): void
}

/** Browsers keep no cookie for more than 400 days (RFC 6265bis, 5.5). */
const LIFETIME_MS = 400 * 86_400_000

/** The request that the cookie is for. */
const SIGN_IN = { method: 'POST', path: '/operator/session' } as const

type Options = { secrets: Secrets; baseUrl: () => string; now: () => number }

export function createKnownBrowsers({ secrets, baseUrl, now }: Options): KnownBrowsers {
  const signer = createAddressSigner('browsers of operators', secrets)
  const cookie = createHostCookie('trackpress_browser', baseUrl)
  return {
    find(request) {
      const verified = signer.verify(SIGN_IN.method, cookie.read(request) ?? '', now())
      if (verified.result !== 'valid') return undefined
      const { browser, operator } = verified.claims
      return { id: browser, operatorId: operator }
    },

    remember(reply, operatorId) {
      const claims = { browser: randomUUID(), operator: operatorId }
      cookie.write(reply, signer.sign({ ...SIGN_IN, claims, expiresAtMs: now() + LIFETIME_MS }), LIFETIME_MS)
    },
  }
}
