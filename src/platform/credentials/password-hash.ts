import { argon2, randomBytes, timingSafeEqual } from 'node:crypto'
import { promisify } from 'node:util'
import { AppError, RETRY_SOON_SEC } from '../basics/errors.ts'

export type HashCost = Pick<Argon2Hash, 'memoryKib' | 'passes' | 'lanes'>

/** The second recommended option of RFC 9106 (section 4), for where memory is limited: 64 MiB, about 0.15 s. */
export const RECOMMENDED_COST: HashCost = { memoryKib: 65_536, passes: 3, lanes: 4 }
const SALT_BYTES = 16
const HASH_BYTES = 32

/**
 * Further hashes are refused. Waiting hashes take some 2.5 s, about the time after which a refused client tries again.
 */
const MAX_WAITING_PER_LANE = 16

/**
 * The queue of a hash. Known are browsers in which the operator has signed in before. They never wait for others.
 * Newcomers are addresses that have hardly tried, and strangers have tried more: they take turns, so that a flood from
 * some hundred addresses leaves half of the hashes to everyone else.
 */
export type HashLane = 'known' | 'newcomers' | 'strangers'

/** The refusal of a hash because too many wait in its lane. */
export class HasherBusyError extends AppError {
  constructor() {
    super('UNAVAILABLE', 503, 'Too many people are signing in at once. Try again shortly.', {
      retryAfterSec: RETRY_SOON_SEC,
    })
  }
}

const argon2Async = promisify(argon2)

export type PasswordHasher = ReturnType<typeof createPasswordHasher>

/** Creates a hasher for Argon2id (RFC 9106). Both functions throw HasherBusyError while too many hashes wait. */
export function createPasswordHasher(cost: HashCost = RECOMMENDED_COST) {
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
    /** Hashes a password for storage, in the PHC string format. */
    async hash(password: string, lane: HashLane): Promise<string> {
      const salt = randomBytes(SALT_BYTES)
      return formatPhcString({ ...cost, salt, hash: await compute(password, salt, cost, lane) })
    },

    /**
     * Tells whether a password matches a stored hash, and whether that hash was made at another cost than today's.
     * Takes the same time if no hash is stored, so that timing does not reveal which operators have a password.
     */
    async verify(
      password: string,
      stored: string | null,
      lane: HashLane,
    ): Promise<{ isRight: boolean; isOutdated: boolean }> {
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

/**
 * Runs one piece of work at a time. Each group has a bounded queue of its own, and groups that wait take turns, so that
 * a flood in one holds up another by a single piece.
 */
class HashQueue {
  readonly #maxWaiting: number
  /** The group that runs goes to the end when it has finished. */
  readonly #waiting = new Map<string, (() => void)[]>()
  #isRunning = false

  constructor(maxWaiting: number) {
    this.#maxWaiting = maxWaiting
  }

  /** Runs the work in the turn of its group. Returns undefined if too much of the group waits. */
  run<Result>(group: string, work: () => Promise<Result>): Promise<Result> | undefined {
    if (!this.#isRunning) return this.#start(work)
    const waiting = this.#waiting.get(group) ?? []
    if (waiting.length >= this.#maxWaiting) return undefined
    const { promise, resolve } = Promise.withResolvers<void>()
    waiting.push(resolve)
    this.#waiting.set(group, waiting)
    return promise.then(() => this.#start(work))
  }

  async #start<Result>(work: () => Promise<Result>): Promise<Result> {
    this.#isRunning = true
    try {
      return await work()
    } finally {
      this.#next()
    }
  }

  #next(): void {
    const [group, waiting] = this.#waiting.entries().next().value ?? []
    if (group === undefined || waiting === undefined) {
      this.#isRunning = false
      return
    }
    const begin = waiting.shift()!
    this.#waiting.delete(group)
    if (waiting.length > 0) this.#waiting.set(group, waiting)
    // The next piece begins in a later turn of the loop, and nothing may come before it.
    begin()
  }
}

/** A password hash with everything needed to compute it again. */
type Argon2Hash = { memoryKib: number; passes: number; lanes: number; salt: Buffer; hash: Buffer }

const PHC_STRING = /^\$argon2id\$v=19\$m=(\d{1,9}),t=(\d{1,9}),p=(\d{1,3})\$([A-Za-z0-9+/]+)\$([A-Za-z0-9+/]+)$/

/** Formats a hash as a PHC string: `$argon2id$v=19$m=65536,t=3,p=4$<salt>$<hash>`, in Base64 without padding. */
export function formatPhcString({ memoryKib, passes, lanes, salt, hash }: Argon2Hash): string {
  return `$argon2id$v=19$m=${memoryKib},t=${passes},p=${lanes}$${base64(salt)}$${base64(hash)}`
}

/** @throws Error for any other text, which only a damaged database contains. */
export function parsePhcString(text: string): Argon2Hash {
  const [, memoryKib, passes, lanes, salt, hash] = PHC_STRING.exec(text) ?? []
  if (hash === undefined) throw new Error('A stored password hash cannot be read')
  return {
    memoryKib: Number(memoryKib),
    passes: Number(passes),
    lanes: Number(lanes),
    salt: Buffer.from(salt, 'base64'),
    hash: Buffer.from(hash, 'base64'),
  }
}

function base64(bytes: Buffer): string {
  return bytes.toString('base64').replace(/={1,2}$/, '')
}
