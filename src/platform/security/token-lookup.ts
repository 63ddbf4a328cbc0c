import { setTimeout as wait } from 'node:timers/promises'
import type { Notices } from '../database/notices.ts'

/** What a token opens, by its hash; undefined where it opens nothing. */
export type TokenLookup<Opened> = (tokenSha256: string) => Promise<Opened | undefined>

/**
 * How long a found token is answered from memory at the most. Whoever ends a token waits for it, so that no instance
 * takes the token afterwards, also one that hears of it late; and it spares nearly all of the looking up.
 */
const LIFETIME_MS = 500
const MAX_ENTRIES = 10_000

/** Topic of the notice that tokens have changed. */
const TOKENS_CHANGED = 'tokens-changed'

/** Tells every instance that tokens of `ownerId` have ended; when it resolves, none takes them any more. */
export async function announceEndedTokens(notices: Notices | undefined, ownerId: string): Promise<void> {
  if (notices === undefined) return
  await notices.publish(TOKENS_CHANGED, ownerId)
  await wait(LIFETIME_MS)
}

/**
 * Where every instance is told of changes, found tokens are remembered until one comes; where there are no notices the
 * database is in this process and is asked in every turn of the event loop. A revoked token therefore fails at once.
 */
export function rememberTokens<Opened>(
  find: TokenLookup<Opened>,
  notices: Notices | undefined,
  nowMs: () => number,
): TokenLookup<Opened> {
  if (notices === undefined) return oncePerTurn(find)
  const known = new Map<string, { opened: Opened; untilMs: number }>()
  let changes = 0
  notices.subscribe(TOKENS_CHANGED, () => {
    changes++
    known.clear()
  })
  return async (tokenSha256) => {
    const entry = known.get(tokenSha256)
    if (entry !== undefined && entry.untilMs > nowMs() && notices.isLive()) return entry.opened
    const changesBefore = changes
    // From before the look-up on: what ended meanwhile may still be in its answer.
    const untilMs = nowMs() + LIFETIME_MS
    const opened = await find(tokenSha256)
    known.delete(tokenSha256)
    // A change that came while the answer was under way may have ended what it speaks of.
    if (opened !== undefined && changes === changesBefore) {
      if (known.size >= MAX_ENTRIES) known.clear()
      known.set(tokenSha256, { opened, untilMs })
    }
    return opened
  }
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
