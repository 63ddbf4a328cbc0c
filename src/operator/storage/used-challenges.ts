import type { Kysely } from 'kysely'
import type { OperatorTables } from './tables.ts'

/** A challenge that is answered, and the time from which it would not count anyway. */
export type SpentChallenge = { challengeSha256: string; expiresAtMs: number }

/**
 * Marks a challenge as used, in the transaction of what it is used for. Returns false if it has been used before.
 * Challenges are kept by browsers until then, so that strangers who only begin store nothing.
 */
export async function spendChallenge(
  transaction: Kysely<OperatorTables>,
  { challengeSha256, expiresAtMs }: SpentChallenge,
): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await transaction
    .insertInto('used_challenges')
    .values({ challenge_sha256: challengeSha256, expires_at: expiresAtMs })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirstOrThrow()
  return (numInsertedOrUpdatedRows ?? 0n) > 0n
}
