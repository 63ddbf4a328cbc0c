import type { Kysely } from 'kysely'
import { inTransaction } from '#platform/database/transaction.ts'
import { isUniqueViolation } from '#platform/database/unique-violation.ts'
import { challengeUsed, passkeyExists, tooManyPasskeys } from '../errors.ts'
import { hasFactor, lockOperator, setRecoveryCodes, summaryOf } from './factors-store.ts'
import { keepLocalOwner } from './local-owners.ts'
import { NO_PROVIDER, type ProviderAccounts } from './provider-accounts.ts'
import type { OperatorTables, PasskeyRow } from './tables.ts'
import { type SpentChallenge, spendChallenge } from './used-challenges.ts'

/** Passkeys of an operator. More would be forgotten, and would make the list of those that may sign in long. */
const MAX_PASSKEYS = 20

export type PasskeysStore = {
  /** Returns an operator's passkeys, the oldest first. */
  list(operatorId: string): Promise<PasskeyRow[]>
  findByCredential(credentialId: string): Promise<PasskeyRow | undefined>
  /**
   * Adds a passkey. With the operator's first factor, stores the recovery codes.
   * @throws challengeUsed, passkeyExists or tooManyPasskeys
   */
  add(
    passkey: PasskeyRow,
    challenge: SpentChallenge,
    codesSha256: readonly string[],
  ): Promise<{ codesAreStored: boolean }>
  /** Renames a passkey of an operator. Returns it; undefined if there is none. */
  rename(operatorId: string, id: string, name: string): Promise<PasskeyRow | undefined>
  /** Returns the name of any operator's passkey; undefined if there is none. */
  nameOf(id: string): Promise<string | undefined>
  /**
   * Removes a passkey, and the recovery codes with the last factor. Returns false if there is none.
   * @throws lastLocalOwner
   */
  remove(operatorId: string, id: string): Promise<boolean>
  removeOldChallenges(nowMs: number): Promise<void>
}

export function createPasskeysStore(
  db: Kysely<OperatorTables>,
  { issuersWithoutCredentials: issuers }: Pick<ProviderAccounts, 'issuersWithoutCredentials'> = NO_PROVIDER,
): PasskeysStore {
  const list = (from: Kysely<OperatorTables>, operatorId: string) =>
    from
      .selectFrom('passkeys')
      .selectAll()
      .where('operator_id', '=', operatorId)
      .orderBy('created_at')
      .orderBy('id')
      .execute()

  return {
    list: (operatorId) => list(db, operatorId),

    async findByCredential(credentialId) {
      return await db.selectFrom('passkeys').selectAll().where('credential_id', '=', credentialId).executeTakeFirst()
    },

    async add(passkey, challenge, codesSha256) {
      const operatorId = passkey.operator_id
      try {
        return await inTransaction(db, async (transaction) => {
          await lockOperator(transaction, operatorId)
          if (!(await spendChallenge(transaction, challenge))) throw challengeUsed()
          if ((await list(transaction, operatorId)).length >= MAX_PASSKEYS) throw tooManyPasskeys()
          const isFirst = !hasFactor(await summaryOf(transaction, operatorId))
          await transaction.insertInto('passkeys').values(passkey).execute()
          if (isFirst) await setRecoveryCodes(transaction, operatorId, codesSha256, passkey.created_at)
          return { codesAreStored: isFirst }
        })
      } catch (cause) {
        throw isUniqueViolation(cause, 'passkeys', ['credential_id']) ? passkeyExists({ cause }) : cause
      }
    },

    async rename(operatorId, id, name) {
      return await db
        .updateTable('passkeys')
        .set({ name })
        .where('operator_id', '=', operatorId)
        .where('id', '=', id)
        .returningAll()
        .executeTakeFirst()
    },

    async nameOf(id) {
      return (await db.selectFrom('passkeys').select('name').where('id', '=', id).executeTakeFirst())?.name
    },

    async remove(operatorId, id) {
      return await inTransaction(
        db,
        (transaction) => keepLocalOwner(transaction, issuers, () => removePasskey(transaction, operatorId, id)),
        { isolation: 'serializable' },
      )
    },

    async removeOldChallenges(nowMs) {
      await db.deleteFrom('used_challenges').where('expires_at', '<=', nowMs).execute()
    },
  }
}

async function removePasskey(transaction: Kysely<OperatorTables>, operatorId: string, id: string): Promise<boolean> {
  await lockOperator(transaction, operatorId)
  const { numDeletedRows } = await transaction
    .deleteFrom('passkeys')
    .where('operator_id', '=', operatorId)
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
  if (!hasFactor(await summaryOf(transaction, operatorId))) await setRecoveryCodes(transaction, operatorId, [], 0)
  return numDeletedRows > 0n
}
