import { createHmac, randomBytes } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'
import type { Kysely } from 'kysely'
import { boundedCache } from '#platform/basics/bounded-cache.ts'
import { deriveKeys, isSameText, type Secrets } from '#platform/basics/secrets.ts'
import { createFailuresStore, type FailuresTables } from '#platform/credentials/failures-store.ts'
import { createPasswordHasher, type HashCost } from '#platform/credentials/password-hash.ts'
import { createSignInThrottle, FORGET_AFTER_MS } from '#platform/credentials/sign-in-throttle.ts'
import { readerPasswordRequired, readerPasswordWrong } from './errors.ts'
import type { Lock } from './reading.ts'
import type { PublicationsTables } from './tables.ts'

/** Length limits of a password that readers are asked for. */
export const MIN_READER_PASSWORD_LENGTH = 8
export const MAX_READER_PASSWORD_LENGTH = 200

/** A request that may hold a password, or the proof of one. */
type AskedRequest = { url: string; headers: IncomingHttpHeaders; ip: string }

export const PASSWORD_COOKIE = 'trackpress_password'
const COOKIE = new RegExp(`(?:^|;\\s*)${PASSWORD_COOKIE}=(\\d{1,15})\\.([\\w-]{43})(?:;|$)`)
/** Browsers that were given the password once are not asked again for this long. */
export const PROOF_LIFETIME_SEC = 30 * 86_400
/** Right passwords that are remembered, so that a program which sends one each time costs one hash. */
const MAX_REMEMBERED = 10_000
const CHALLENGE = { 'www-authenticate': 'Basic realm="publication", charset="UTF-8"' }

/** Passwords of publications and of reader links. */
export type ReaderPasswords = ReturnType<typeof createReaderPasswords>

type Options = { db: Kysely<PublicationsTables>; secrets: Secrets; hashCost?: HashCost; now: () => number }

export function createReaderPasswords({ db, secrets, hashCost, now }: Options) {
  const hasher = createPasswordHasher(hashCost)
  const failures = createFailuresStore(db as unknown as Kysely<FailuresTables>)
  const throttle = createSignInThrottle(failures, now)
  const keys = deriveKeys(secrets, 'proof of a reader password')
  const memoryKey = randomBytes(32)
  const remembered = boundedCache<true>(MAX_REMEMBERED)

  /** The hash of the password is part of the proof, so that another password ends it. */
  function proofOf({ subject, hash }: Lock, untilMs: number, key = keys[0]): string {
    return createHmac('sha256', key)
      .update(JSON.stringify([subject, hash, untilMs]))
      .digest('base64url')
  }

  function isProven(lock: Lock, cookie: string | undefined): boolean {
    const [, until, proof] = COOKIE.exec(cookie ?? '') ?? []
    if (proof === undefined || Number(until) <= now()) return false
    return keys.some((key) => isSameText(proof, proofOf(lock, Number(until), key)))
  }

  /**
   * Compares a password with a lock; wrong ones are counted by the address and by the lock, as sign-ins are.
   * @throws readerPasswordWrong, rateLimited while the source has to wait, HasherBusyError
   */
  async function check({ subject, hash }: Lock, password: string, address: string): Promise<void> {
    const memory = createHmac('sha256', memoryKey)
      .update(JSON.stringify([hash, password]))
      .digest('base64url')
    if (remembered.get(memory)) return
    await throttle.attempt({ address, nameKey: `reader of ${subject}` }, async (lane) => {
      const isShort = password.length <= MAX_READER_PASSWORD_LENGTH
      if (!isShort || !(await hasher.verify(password, hash, lane)).isRight) throw readerPasswordWrong(WRONG)
    })
    remembered.set(memory, true)
  }

  return {
    check,

    /** Hashes a new password for storage. @throws HasherBusyError */
    hash: (password: string): Promise<string> => hasher.hash(password, 'newcomers'),

    /** Returns the value of the cookie of a browser that was given the password. */
    proof(lock: Lock): string {
      const untilMs = now() + PROOF_LIFETIME_SEC * 1_000
      return `${untilMs}.${proofOf(lock, untilMs)}`
    },

    /**
     * Refuses a request without the password of a lock: it has the proof in its cookie, or the password in
     * `Authorization: Basic` with an empty name. @throws readerPasswordRequired, and the errors of `check`
     */
    async require(lock: Lock, { url, headers, ip }: AskedRequest): Promise<void> {
      if (isProven(lock, headers.cookie)) return
      const given = basicPassword(headers.authorization)
      // A browser would ask in a window of its own, in place of the page.
      const isPage = url.startsWith('/p/') || headers['sec-fetch-site'] !== undefined
      if (given === undefined)
        throw readerPasswordRequired({ members: { reason: 'password_required' }, headers: isPage ? {} : CHALLENGE })
      await check(lock, given, ip)
    },

    /** Deletes failures that no longer count. */
    forgetFailures: () => failures.removeOld(now() - FORGET_AFTER_MS),
  }
}

const WRONG = { members: { reason: 'password_wrong' } }

/** Returns the password of `Authorization: Basic` (RFC 7617) with an empty name. */
function basicPassword(authorization: string | undefined): string | undefined {
  const [, encoded] = /^Basic ([\w+/=-]{1,2000})$/i.exec(authorization ?? '') ?? []
  const text = encoded === undefined ? '' : Buffer.from(encoded, 'base64').toString()
  return text.startsWith(':') ? text.slice(1) : undefined
}
