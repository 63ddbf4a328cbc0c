import { argon2, randomBytes, timingSafeEqual } from 'node:crypto'
import { promisify } from 'node:util'
import pLimit from 'p-limit'
import { unavailable } from '#platform/errors.ts'
import { type Argon2Hash, formatPhcString, parsePhcString } from './phc-string.ts'

export type HashCost = Pick<Argon2Hash, 'memoryKib' | 'passes' | 'lanes'>

/** The second recommended option of RFC 9106 (section 4), for where memory is limited: 64 MiB, about 0.15 s. */
export const RECOMMENDED_COST: HashCost = { memoryKib: 65_536, passes: 3, lanes: 4 }
const SALT_BYTES = 16
const HASH_BYTES = 32

/** Each running hash takes 64 MiB, and one of the four threads that also read and write files. */
const MAX_RUNNING = 2
/** Further hashes are refused, so that a flood takes no more memory and computing time than this. */
const MAX_WAITING = 32

const argon2Async = promisify(argon2)

export type PasswordHasher = {
  /** Hashes a password for storage, in the PHC string format. */
  hash(password: string): Promise<string>
  /**
   * Tells whether a password matches a stored hash, and whether that hash was made at another cost than today's. Takes
   * the same time if no hash is stored, so that timing does not reveal which operators have a password.
   */
  verify(password: string, stored: string | null): Promise<{ isRight: boolean; isOutdated: boolean }>
}

/** Creates a hasher for Argon2id (RFC 9106). Both functions throw UNAVAILABLE while too many hashes wait. */
export function createPasswordHasher(cost: HashCost = RECOMMENDED_COST): PasswordHasher {
  const limit = pLimit(MAX_RUNNING)

  async function inTurn<Result>(work: () => Promise<Result>): Promise<Result> {
    if (limit.activeCount + limit.pendingCount >= MAX_RUNNING + MAX_WAITING)
      throw unavailable({
        detail: 'Too many people are signing in at once. Try again shortly.',
        headers: { 'retry-after': '2' },
      })
    return await limit(work)
  }

  const compute = (password: string, salt: Buffer, { memoryKib, passes, lanes }: HashCost) =>
    inTurn(() =>
      argon2Async('argon2id', {
        // The same characters can be typed as different code points; RFC 8265 (4.2.2) normalizes passwords to NFC.
        message: password.normalize('NFC'),
        nonce: salt,
        memory: memoryKib,
        passes,
        parallelism: lanes,
        tagLength: HASH_BYTES,
      }),
    )

  return {
    async hash(password) {
      const salt = randomBytes(SALT_BYTES)
      return formatPhcString({ ...cost, salt, hash: await compute(password, salt, cost) })
    },

    async verify(password, stored) {
      const known = stored === null ? undefined : parsePhcString(stored)
      const computed = await compute(password, known?.salt ?? randomBytes(SALT_BYTES), known ?? cost)
      if (known === undefined) return { isRight: false, isOutdated: false }
      return { isRight: timingSafeEqual(computed, known.hash), isOutdated: !isSameCost(known, cost) }
    },
  }
}

function isSameCost(one: HashCost, other: HashCost): boolean {
  return one.memoryKib === other.memoryKib && one.passes === other.passes && one.lanes === other.lanes
}
