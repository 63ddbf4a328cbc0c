import { type RawBuilder, type SqlBool, sql } from 'kysely'
import type { Notices } from '../database/notices.ts'
import type { Keys } from '../security/secret.ts'
import { newToken, openToken, sealToken, tokenHash } from './token.ts'
import { announceEndedTokens } from './token-lookup.ts'

/** A token as it is stored: never its text, only the hash that finds it and the sealed text that shows it again. */
export type StoredToken = { sha256: string; sealed: Uint8Array; createdAtMs: number; label: string | null }

/** A token that was made just now: its text and what is to be stored of it. */
export type IssuedToken = { text: string; stored: StoredToken }

/** Tokens of one kind in the service's own table. Each belongs to an owner: an event, a workspace. */
export type OwnedTokensStore = {
  /** Adds a token and ends the owner's others at `othersEndMs`; those that end sooner keep their end. */
  rotate(ownerId: string, token: StoredToken, othersEndMs: number): Promise<void>
  /** Returns the owner's valid tokens, newest first. */
  listValid(ownerId: string, nowMs: number): Promise<readonly Pick<StoredToken, 'sealed'>[]>
}

/** Life of the tokens of one kind, the same for app tokens and API keys. */
type OwnedTokens = {
  /** Makes a token, which the caller stores. */
  issue(label?: string | null): IssuedToken
  /** Makes and stores a token; the owner's others stay valid for `keepMs`, and none does where it is 0. */
  rotate(ownerId: string, keepMs: number, label?: string | null): Promise<IssuedToken>
  /**
   * Returns the text of the newest token; undefined where there is none, or where it was sealed with another secret.
   */
  showNewest(ownerId: string): Promise<string | undefined>
}

type OwnedTokensOptions = {
  /** Stands before the random part of each token, so that people and secret scanners recognise it. */
  prefix: string
  store: OwnedTokensStore
  notices: Notices | undefined
  sealingKeys: Keys
  now: () => number
}

export function createOwnedTokens({ prefix, store, notices, sealingKeys, now }: OwnedTokensOptions): OwnedTokens {
  function issue(label: string | null = null): IssuedToken {
    const text = newToken(prefix)
    return {
      text,
      stored: { sha256: tokenHash(text), sealed: sealToken(text, sealingKeys), createdAtMs: now(), label },
    }
  }

  return {
    issue,

    async rotate(ownerId, keepMs, label) {
      const token = issue(label)
      await store.rotate(ownerId, token.stored, now() + keepMs)
      await announceEndedTokens(notices, ownerId)
      return token
    },

    async showNewest(ownerId) {
      const [newest] = await store.listValid(ownerId, now())
      return newest === undefined ? undefined : openToken(newest.sealed, sealingKeys)
    },
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

/** Shortens a token to what is enough to recognise it and far too little to use it. */
export function maskToken(text: string): string {
  return `${text.slice(0, SHOWN_START)}…${text.slice(-SHOWN_END)}`
}
