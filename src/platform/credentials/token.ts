import { createCipheriv, createDecipheriv, hash, randomBytes } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import { type RawBuilder, type SqlBool, sql } from 'kysely'
import type { Keys } from '../basics/secrets.ts'
import { type Notices, NotifiedCache } from '../database/notices.ts'

const NONCE_BYTES = 12
const TAG_BYTES = 16

/** Returns a new token: a readable prefix and 256 random bits, 43 characters of base64url. */
export function newToken(prefix: string): string {
  return `${prefix}_${randomBytes(32).toString('base64url')}`
}

/**
 * Returns the hash by which a token is looked up, in hexadecimal. A token has 256 random bits, so a plain hash cannot
 * be reversed by guessing, and the duration of a look-up by hash reveals nothing about the token.
 */
export function tokenHash(token: string): string {
  return hash('sha256', token, 'hex')
}

/**
 * Encrypts a token with the newest key so that an operator can be shown it again (AES-256-GCM: nonce, tag, ciphertext).
 */
export function sealToken(token: string, [newest]: Keys): Buffer {
  const nonce = randomBytes(NONCE_BYTES)
  const cipher = createCipheriv('aes-256-gcm', newest, nonce)
  const sealed = Buffer.concat([cipher.update(token, 'utf8'), cipher.final()])
  return Buffer.concat([nonce, cipher.getAuthTag(), sealed])
}

/** Decrypts a token. Returns undefined if no key fits the token, or the bytes were altered. */
export function openToken(sealed: Uint8Array, keys: Keys): string | undefined {
  return openSealed(sealed, keys)?.text
}

/** Decrypts a token, and returns the place of its key among the given ones, too. */
export function openSealed(sealed: Uint8Array, keys: Keys): { text: string; keyIndex: number } | undefined {
  for (const [keyIndex, key] of keys.entries()) {
    const text = openWith(sealed, key)
    if (text !== undefined) return { text, keyIndex }
  }
  return undefined
}

function openWith(sealed: Uint8Array, key: Buffer): string | undefined {
  try {
    const decipher = createDecipheriv('aes-256-gcm', key, sealed.subarray(0, NONCE_BYTES))
    decipher.setAuthTag(sealed.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES))
    const opened = decipher.update(sealed.subarray(NONCE_BYTES + TAG_BYTES))
    return Buffer.concat([opened, decipher.final()]).toString('utf8')
  } catch {
    return undefined
  }
}

/** Tells whether a stored token is valid at a time; it ends at the moment `expires_at`. */
export function isValidAt({ expires_at }: { expires_at: number | null }, timeMs: number): boolean {
  return expires_at === null || expires_at > timeMs
}

/** The condition of `isValidAt` for a query on a table with the column `expires_at`. */
export function whereValidAt(timeMs: number): RawBuilder<SqlBool> {
  return sql<SqlBool>`(expires_at is null or expires_at > ${timeMs})`
}

const SHOWN_START = 8
const SHOWN_END = 4

/** Shortens a token to a part that is enough to recognise it and far too little to use it. */
export function maskToken(text: string): string {
  return `${text.slice(0, SHOWN_START)}…${text.slice(-SHOWN_END)}`
}

/** Finds the subject of a token, by its hash; undefined for a token that opens nothing. */
export type TokenLookup<Opened> = (tokenSha256: string) => Promise<Opened | undefined>

/**
 * Lifetime of a token in memory, which saves nearly all queries. Revoking a token waits for this time, so that no
 * instance accepts the token afterwards, even if it missed the notice.
 */
const LIFETIME_MS = 500
const MAX_ENTRIES = 10_000

/** Topic of the notice that tokens have changed. */
const TOKENS_CHANGED = 'tokens-changed'

/** Tells every instance that tokens of `ownerId` have ended. When it resolves, none of them accepts these tokens. */
export async function announceEndedTokens(notices: Notices | undefined, ownerId: string): Promise<void> {
  if (notices === undefined) return
  await notices.publish(TOKENS_CHANGED, ownerId)
  await wait(LIFETIME_MS)
}

/**
 * Spares the database most look-ups without delaying a revocation. Where notices connect the instances, tokens are
 * remembered until one arrives. Without notices the database is in this process and is asked in every turn of the event
 * loop.
 */
export function rememberTokens<Opened extends object>(
  find: TokenLookup<Opened>,
  notices: Notices | undefined,
  nowMs: () => number,
): TokenLookup<Opened> {
  if (notices === undefined) return oncePerTurn(find)
  const cache = new NotifiedCache<Opened>({
    find,
    topic: TOKENS_CHANGED,
    notices,
    nowMs,
    lifetimeMs: LIFETIME_MS,
    maxEntries: MAX_ENTRIES,
  })
  return (tokenSha256) => cache.find(tokenSha256)
}

/**
 * Asks once for all requests of a turn of the event loop: those that are ready together had arrived before the first of
 * them is looked at, so the answer is as fresh for the last one.
 */
function oncePerTurn<Opened>(find: TokenLookup<Opened>): TokenLookup<Opened> {
  const asked = new Map<string, Promise<Opened | undefined>>()
  return (tokenSha256) => {
    const known = asked.get(tokenSha256)
    if (known !== undefined) return known
    if (asked.size === 0) setImmediate(() => asked.clear())
    const answer = find(tokenSha256)
    asked.set(tokenSha256, answer)
    return answer
  }
}

/** Maximum number of tokens in one statement. */
const TOKENS_PER_WRITE = 500

type Options = {
  store: {
    /** Stores when tokens were last used. */
    noteUse(tokenSha256s: readonly string[], nowMs: number): Promise<void>
  }
  now: () => number
  onFailure: (error: unknown) => void
}

/**
 * Records which tokens are used. Uses are collected in memory and written by a job, so a request that brings
 * points writes nothing but its points.
 */
export class TokenUse {
  readonly #options: Options
  #used = new Set<string>()

  constructor(options: Options) {
    this.#options = options
  }

  /** Records the use of a valid token. */
  note(tokenSha256: string): void {
    this.#used.add(tokenSha256)
  }

  /** Writes the collected uses to the database. Rejects and drops uses that cannot be written. */
  async write(): Promise<void> {
    const { store, now } = this.#options
    const used = [...this.#used]
    this.#used = new Set()
    for (let i = 0; i < used.length; i += TOKENS_PER_WRITE) {
      await store.noteUse(used.slice(i, i + TOKENS_PER_WRITE), now())
    }
  }

  /** Writes the last uses and stops. */
  async close(): Promise<void> {
    await this.write().catch(this.#options.onFailure)
  }
}
