import { tokenHash } from '#platform/tokens/token.ts'
import { appTokenNotFound } from '../../errors.ts'
import { shownTokenJson } from '../../representations/event-json.ts'
import type { ShownAppToken } from '../../schemas/tokens.ts'
import type { OperatorDeps } from '../operator-deps.ts'

/** A token of an event that was made just now, as operators are shown it. */
export async function newestToken(
  { events, tokenKey, now }: Pick<OperatorDeps, 'events' | 'tokenKey' | 'now'>,
  eventId: string,
  token: string,
): Promise<ShownAppToken> {
  const hash = tokenHash(token)
  const row = (await events.tokens(eventId, now())).find(({ token_sha256 }) => token_sha256 === hash)
  if (row === undefined) throw appTokenNotFound()
  return shownTokenJson(row, tokenKey)
}
