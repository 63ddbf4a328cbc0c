import { argon2, randomBytes, timingSafeEqual } from 'node:crypto'
import { promisify } from 'node:util'
import { limitParallel } from './limit-parallel.ts'
import { type Argon2Hash, formatPhcString, parsePhcString } from './phc-string.ts'

/** The cost of a hash. */
export type HashCost = Pick<Argon2Hash, 'memoryKib' | 'passes' | 'lanes'>

/** The second recommended option of RFC 9106 (section 4), for where memory is limited: 64 MiB, about 0.15 s. */
export const RECOMMENDED_COST: HashCost = { memoryKib: 65_536, passes: 3, lanes: 4 }
const SALT_BYTES = 16
const HASH_BYTES = 32

/** Hashes take 64 MiB each while they are computed, and half of the threads that also read and write files. */
const MOST_AT_ONCE = { running: 2, waiting: 32 }

const argon2Async = promisify(argon2)

export type PasswordHasher = {
  /** What is stored of a password, in the PHC string format. */
  hash(password: string): Promise<string>
  /**
   * Whether a password is the one of a stored hash, and whether that was made at another cost than is usual now. It
   * takes as long where nothing is stored, so that its time does not tell who has a password.
   */
  verify(password: string, stored: string | null): Promise<{ isRight: boolean; isOutdated: boolean }>
}

/** Argon2id hashes (RFC 9106), few at a time. Both functions throw UNAVAILABLE where too many wait. */
export function createPasswordHasher(cost: HashCost = RECOMMENDED_COST): PasswordHasher {
  const inTurn = limitParallel(MOST_AT_ONCE)

  const compute = (password: string, salt: Buffer, { memoryKib, passes, lanes }: HashCost) =>
    inTurn(() =>
      argon2Async('argon2id', {
        // The same characters can be typed as different code points; RFC 8265 (4.2.2) has passwords in NFC.
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
