import { argon2, randomBytes, timingSafeEqual } from 'node:crypto'
import { promisify } from 'node:util'
import { AppError } from '#platform/errors.ts'
import { HashQueue } from './hash-queue.ts'
import { type Argon2Hash, formatPhcString, parsePhcString } from './phc-string.ts'

export type HashCost = Pick<Argon2Hash, 'memoryKib' | 'passes' | 'lanes'>

/** The second recommended option of RFC 9106 (section 4), for where memory is limited: 64 MiB, about 0.15 s. */
export const RECOMMENDED_COST: HashCost = { memoryKib: 65_536, passes: 3, lanes: 4 }
const SALT_BYTES = 16
const HASH_BYTES = 32

/**
 * Further hashes are refused. Those that wait take some 2.5 s, about the time after which a refused client tries again.
 */
const MAX_WAITING_PER_LANE = 16

/**
 * The queue of a hash. Known are browsers in which the operator has signed in before. They never wait for others.
 * Newcomers are addresses that have hardly tried, and strangers those that have tried more: they take turns, so that a
 * flood from some hundred addresses leaves half of the hashes to everyone else.
 */
export type HashLane = 'known' | 'newcomers' | 'strangers'

/** The refusal of a hash because too many wait in its lane. */
export class HasherBusyError extends AppError {
  constructor() {
    super('UNAVAILABLE', 503, 'Too many people are signing in at once. Try again shortly.', {
      headers: { 'retry-after': '2' },
    })
  }
}

const argon2Async = promisify(argon2)

export type PasswordHasher = {
  /** Hashes a password for storage, in the PHC string format. */
  hash(password: string, lane: HashLane): Promise<string>
  /**
   * Tells whether a password matches a stored hash, and whether that hash was made at another cost than today's. Takes
   * the same time if no hash is stored, so that timing does not reveal which operators have a password.
   */
  verify(password: string, stored: string | null, lane: HashLane): Promise<{ isRight: boolean; isOutdated: boolean }>
}

/** Creates a hasher for Argon2id (RFC 9106). Both functions throw HasherBusyError while too many hashes wait. */
export function createPasswordHasher(cost: HashCost = RECOMMENDED_COST): PasswordHasher {
  // Each runs one hash at a time, which takes 64 MiB and one of the four threads that also read and write files.
  const known = new HashQueue(MAX_WAITING_PER_LANE)
  const others = new HashQueue(MAX_WAITING_PER_LANE)

  async function inTurn<Result>(lane: HashLane, work: () => Promise<Result>): Promise<Result> {
    const running = lane === 'known' ? known.run(lane, work) : others.run(lane, work)
    if (running === undefined) throw new HasherBusyError()
    return await running
  }

  const compute = (password: string, salt: Buffer, { memoryKib, passes, lanes }: HashCost, lane: HashLane) =>
    inTurn(lane, () =>
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
    async hash(password, lane) {
      const salt = randomBytes(SALT_BYTES)
      return formatPhcString({ ...cost, salt, hash: await compute(password, salt, cost, lane) })
    },

    async verify(password, stored, lane) {
      const parsed = stored === null ? undefined : parsePhcString(stored)
      const computed = await compute(password, parsed?.salt ?? randomBytes(SALT_BYTES), parsed ?? cost, lane)
      if (parsed === undefined) return { isRight: false, isOutdated: false }
      return { isRight: timingSafeEqual(computed, parsed.hash), isOutdated: !isSameCost(parsed, cost) }
    },
  }
}

function isSameCost(one: HashCost, other: HashCost): boolean {
  return one.memoryKib === other.memoryKib && one.passes === other.passes && one.lanes === other.lanes
}
