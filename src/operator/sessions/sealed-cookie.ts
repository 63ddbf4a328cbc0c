import type { FastifyReply, FastifyRequest } from 'fastify'
import { deriveKeys, type Secrets } from '#platform/security/secret.ts'
import { openToken, sealToken } from '#platform/tokens/token.ts'
import { createHostCookie } from './host-cookie.ts'

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
