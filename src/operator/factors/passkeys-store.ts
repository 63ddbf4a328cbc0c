import type { Kysely } from 'kysely'
import { inTransaction, isUniqueViolation } from '#platform/database/transaction.ts'
import { challengeUsed, passkeyExists, tooManyPasskeys } from '../model/errors.ts'
import {
  hasFactor,
  lockOperator,
  type SpentChallenge,
  setRecoveryCodes,
  spendChallenge,
  summaryOf,
} from '../model/factors-store.ts'
import { keepLocalOwner, NO_PROVIDER, type ProviderAccounts } from '../model/provider-accounts.ts'
import type { OperatorTables, PasskeyRow } from '../model/tables.ts'

/** Passkeys of an operator. More would be forgotten, and would make the list of allowed passkeys at sign-in long. */
const MAX_PASSKEYS = 20

export type PasskeysStore = ReturnType<typeof createPasskeysStore>

export function createPasskeysStore(
  db: Kysely<OperatorTables>,
  { issuersWithoutCredentials: issuers }: ProviderAccounts = NO_PROVIDER,
) {
  const list = (from: Kysely<OperatorTables>, operatorId: string) =>
    from
      .selectFrom('passkeys')
      .selectAll()
      .where('operator_id', '=', operatorId)
      .orderBy('created_at')
      .orderBy('id')
      .execute()

  return {
    /** Returns an operator's passkeys, the oldest first. */
    list: (operatorId: string): Promise<PasskeyRow[]> => list(db, operatorId),

    async findByCredential(credentialId: string): Promise<PasskeyRow | undefined> {
      return await db.selectFrom('passkeys').selectAll().where('credential_id', '=', credentialId).executeTakeFirst()
    },

    /**
     * Adds a passkey. With the operator's first factor, stores the recovery codes.
     * @throws challengeUsed, passkeyExists or tooManyPasskeys
     */
    async add(
      passkey: PasskeyRow,
      challenge: SpentChallenge,
      codesSha256: readonly string[],
    ): Promise<{ codesAreStored: boolean }> {
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

    /** Renames a passkey of an operator. Returns it; undefined if there is none. */
    async rename(operatorId: string, id: string, name: string): Promise<PasskeyRow | undefined> {
      return await db
        .updateTable('passkeys')
        .set({ name })
        .where('operator_id', '=', operatorId)
        .where('id', '=', id)
        .returningAll()
        .executeTakeFirst()
    },

    /** Returns the name of any operator's passkey; undefined if there is none. */
    async nameOf(id: string): Promise<string | undefined> {
      return (await db.selectFrom('passkeys').select('name').where('id', '=', id).executeTakeFirst())?.name
    },

    /**
     * Removes a passkey, and the recovery codes with the last factor. Returns false if there is none.
     * @throws lastLocalOwner
     */
    async remove(operatorId: string, id: string): Promise<boolean> {
      return await inTransaction(
        db,
        (transaction) => keepLocalOwner(transaction, issuers, () => removePasskey(transaction, operatorId, id)),
        { isolation: 'serializable' },
      )
    },

    async removeOldChallenges(nowMs: number): Promise<void> {
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
