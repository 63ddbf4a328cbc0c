import { setTimeout as wait } from 'node:timers/promises'
import { NotifiedCache } from '../cache/notified-cache.ts'
import type { Notices } from '../database/notices.ts'

/** Finds what a token opens, by its hash; undefined for a token that opens nothing. */
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
