/** Claim of an instance on a caller's limit: the part that it holds and cannot give back, and all that it could use. */
export type Claim = { held: number; wanted: number }

/**
 * Divides a limit among instances, in whole numbers whose sum is the limit. Each keeps what it holds. What is free goes
 * to those who want it, to each the same until it has enough, and the rest to all alike, so that nobody has to ask for
 * a little. Instances that know the same claims in the same order come to the same result without agreeing on it.
 */
export function apportion(limit: number, claims: readonly Claim[]): number[] {
  const held = claims.reduce((sum, claim) => sum + claim.held, 0)
  const wants = claims.map((claim) => Math.max(0, claim.wanted - claim.held))
  const level = fillLevel(Math.max(0, limit - held), wants)
  const given = claims.map((claim, at) => claim.held + Math.min(wants[at], level))
  const rest = Math.max(0, limit - given.reduce((sum, share) => sum + share, 0))
  return wholeShares(given.map((share) => share + rest / claims.length))
}

/**
 * Returns how much each may get at most so that all together get `amount`; those who want less leave it to the others.
 */
function fillLevel(amount: number, wants: readonly number[]): number {
  let left = amount
  const rising = wants.toSorted((a, b) => a - b)
  for (const [at, want] of rising.entries()) {
    const level = left / (rising.length - at)
    if (want >= level) return level
    left -= want
  }
  return Number.POSITIVE_INFINITY
}

/** Rounds shares so that their sum stays, by the largest remainder; the first of equals gets the unit. */
function wholeShares(shares: readonly number[]): number[] {
  const whole = shares.map((share) => Math.floor(share + 1e-9))
  const sum = Math.round(shares.reduce((total, share) => total + share, 0))
  const missing = sum - whole.reduce((total, share) => total + share, 0)
  const order = shares.map((_, at) => at).sort((a, b) => shares[b] - whole[b] - (shares[a] - whole[a]) || a - b)
  for (const at of order.slice(0, missing)) whole[at]++
  return whole
}
