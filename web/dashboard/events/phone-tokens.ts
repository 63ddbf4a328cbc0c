import type { AppToken } from '../api/events.ts'

type Reach = Pick<AppToken, 'permissions' | 'user_id'>

/**
 * Checks whether a token may be in an address or a code for a phone, which proxies log and people pass on: it records,
 * and reads no tracks but those of its own person.
 */
export function isForPhones({ permissions, user_id }: Reach): boolean {
  return (
    permissions.includes('record') &&
    !permissions.includes('manage') &&
    (user_id !== null || !permissions.includes('read'))
  )
}

/**
 * Returns the tokens for phones: those of one person first, because nobody can record in another's name with them, and
 * of each kind those that only record.
 */
export function phoneTokens<Token extends Reach>(tokens: readonly Token[]): Token[] {
  return tokens.filter(isForPhones).sort((a, b) => rank(a) - rank(b))
}

function rank({ permissions, user_id }: Reach): number {
  return (user_id === null ? 2 : 0) + (permissions.includes('read') ? 1 : 0)
}
