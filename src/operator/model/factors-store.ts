import type { Kysely } from 'kysely'
import { countRows } from '#platform/database/queries.ts'
import { inTransaction } from '#platform/database/transaction.ts'
import type { OperatorTables, TotpSecretRow } from './tables.ts'

/** The use of a second factor that was checked: each code counts once. */
export type FactorUse =
  | { kind: 'totp'; step: number }
  | { kind: 'recovery code'; codeSha256: string }
  | ({ kind: 'passkey'; id: string; signCount: number; nowMs: number } & SpentChallenge)

/** The second factors of an operator. */
export type FactorSummary = {
  /** Time at which the authenticator app was confirmed; undefined without one. */
  appSinceMs: number | undefined
  passkeys: number
  recoveryCodesLeft: number
}

/** Second factors of operators: authenticator apps, and recovery codes for when the app is lost. */
export type FactorsStore = ReturnType<typeof createFactorsStore>

export function createFactorsStore(db: Kysely<OperatorTables>) {
  return {
    summary: (operatorId: string): Promise<FactorSummary> => summaryOf(db, operatorId),

    /** Returns the operators who have a second factor. */
    async operatorsWithFactor(): Promise<Set<string>> {
      const apps = db.selectFrom('totp_secrets').select('operator_id').where('confirmed_at', 'is not', null)
      const rows = await apps.union(db.selectFrom('passkeys').select('operator_id')).execute()
      return new Set(rows.map(({ operator_id }) => operator_id))
    },

    /** Finds the authenticator app of an operator, also one that is not confirmed. */
    async findTotp(operatorId: string): Promise<TotpSecretRow | undefined> {
      return await db.selectFrom('totp_secrets').selectAll().where('operator_id', '=', operatorId).executeTakeFirst()
    },

    /**
     * Stores an app to be confirmed, in place of an earlier one to be confirmed. Returns false if a confirmed one
     * exists.
     */
    async startTotp(secret: TotpSecretRow): Promise<boolean> {
      const { numInsertedOrUpdatedRows } = await db
        .insertInto('totp_secrets')
        .values(secret)
        .onConflict((conflict) =>
          conflict.column('operator_id').doUpdateSet(secret).where('totp_secrets.confirmed_at', 'is', null),
        )
        .executeTakeFirstOrThrow()
      return (numInsertedOrUpdatedRows ?? 0n) > 0n
    },

    /**
     * Confirms an app as it was found. With the operator's first factor, stores the recovery codes. Returns undefined
     * if the app has been replaced or confirmed meanwhile.
     */
    async confirmTotp(
      found: TotpSecretRow,
      { step, nowMs }: { step: number; nowMs: number },
      codesSha256: readonly string[],
    ): Promise<{ codesAreStored: boolean } | undefined> {
      const operatorId = found.operator_id
      return await inTransaction(db, async (transaction) => {
        await lockOperator(transaction, operatorId)
        const isFirst = !hasFactor(await summaryOf(transaction, operatorId))
        const { numUpdatedRows } = await transaction
          .updateTable('totp_secrets')
          .set({ confirmed_at: nowMs, used_step: step })
          .where('operator_id', '=', operatorId)
          .where('created_at', '=', found.created_at)
          .where('confirmed_at', 'is', null)
          .executeTakeFirstOrThrow()
        if (numUpdatedRows === 0n) return undefined
        if (isFirst) await setRecoveryCodes(transaction, operatorId, codesSha256, nowMs)
        return { codesAreStored: isFirst }
      })
    },

    /** Removes an app, and the recovery codes with the last factor. Returns false if there is none. */
    async removeTotp(operatorId: string): Promise<boolean> {
      return await inTransaction(db, async (transaction) => {
        await lockOperator(transaction, operatorId)
        const { numDeletedRows } = await transaction
          .deleteFrom('totp_secrets')
          .where('operator_id', '=', operatorId)
          .executeTakeFirstOrThrow()
        if (!hasFactor(await summaryOf(transaction, operatorId))) await setRecoveryCodes(transaction, operatorId, [], 0)
        return numDeletedRows > 0n
      })
    },

    /** Replaces the recovery codes. Returns false if the operator has no second factor. */
    async replaceRecoveryCodes(operatorId: string, codesSha256: readonly string[], nowMs: number): Promise<boolean> {
      return await inTransaction(db, async (transaction) => {
        await lockOperator(transaction, operatorId)
        if (!hasFactor(await summaryOf(transaction, operatorId))) return false
        await setRecoveryCodes(transaction, operatorId, codesSha256, nowMs)
        return true
      })
    },

    /** Removes apps that were never confirmed. */
    async removeUnconfirmed(beforeMs: number): Promise<void> {
      await db.deleteFrom('totp_secrets').where('confirmed_at', 'is', null).where('created_at', '<', beforeMs).execute()
    },

    /** Removes all factors of an operator and ends the sessions. Returns the number of sessions. */
    async reset(operatorId: string): Promise<number> {
      return await inTransaction(db, async (transaction) => {
        await removeFactors(transaction, operatorId)
        const { numDeletedRows } = await transaction
          .deleteFrom('sessions')
          .where('operator_id', '=', operatorId)
          .executeTakeFirstOrThrow()
        return Number(numDeletedRows)
      })
    },
  }
}

/** Tells whether an operator needs a second factor to sign in with a password. */
export function hasFactor({ appSinceMs, passkeys }: FactorSummary): boolean {
  return appSinceMs !== undefined || passkeys > 0
}

/** Marks a factor as used, in the transaction that uses it. Returns false if it has been used meanwhile. */
export async function spendFactor(
  transaction: Kysely<OperatorTables>,
  operatorId: string,
  use: FactorUse,
): Promise<boolean> {
  if (use.kind === 'recovery code') {
    const { numDeletedRows } = await transaction
      .deleteFrom('recovery_codes')
      .where('operator_id', '=', operatorId)
      .where('code_sha256', '=', use.codeSha256)
      .executeTakeFirstOrThrow()
    return numDeletedRows > 0n
  }
  if (use.kind === 'passkey') return await spendPasskey(transaction, operatorId, use)
  const { numUpdatedRows } = await transaction
    .updateTable('totp_secrets')
    .set({ used_step: use.step })
    .where('operator_id', '=', operatorId)
    .where('confirmed_at', 'is not', null)
    .where('used_step', '<', use.step)
    .executeTakeFirstOrThrow()
  return numUpdatedRows > 0n
}

async function spendPasskey(
  transaction: Kysely<OperatorTables>,
  operatorId: string,
  use: Extract<FactorUse, { kind: 'passkey' }>,
): Promise<boolean> {
  const { numUpdatedRows } = await transaction
    .updateTable('passkeys')
    .set({ sign_count: use.signCount, last_used_at: use.nowMs })
    .where('operator_id', '=', operatorId)
    .where('id', '=', use.id)
    .executeTakeFirstOrThrow()
  return numUpdatedRows > 0n && (await spendChallenge(transaction, use))
}

/** Removes all factors of an operator. */
export async function removeFactors(transaction: Kysely<OperatorTables>, operatorId: string): Promise<void> {
  await transaction.deleteFrom('passkeys').where('operator_id', '=', operatorId).execute()
  await transaction.deleteFrom('totp_secrets').where('operator_id', '=', operatorId).execute()
  await transaction.deleteFrom('recovery_codes').where('operator_id', '=', operatorId).execute()
}

/** Returns the factors of an operator, as seen by a transaction. */
export async function summaryOf(db: Kysely<OperatorTables>, operatorId: string): Promise<FactorSummary> {
  const app = await db
    .selectFrom('totp_secrets')
    .select('confirmed_at')
    .where('operator_id', '=', operatorId)
    .executeTakeFirst()
  const countIn = (table: 'passkeys' | 'recovery_codes') =>
    countRows(db.selectFrom(table).where('operator_id', '=', operatorId))
  return {
    appSinceMs: app?.confirmed_at ?? undefined,
    passkeys: await countIn('passkeys'),
    recoveryCodesLeft: await countIn('recovery_codes'),
  }
}

/** Replaces the recovery codes of an operator. */
export async function setRecoveryCodes(
  transaction: Kysely<OperatorTables>,
  operatorId: string,
  codesSha256: readonly string[],
  nowMs: number,
): Promise<void> {
  await transaction.deleteFrom('recovery_codes').where('operator_id', '=', operatorId).execute()
  const rows = codesSha256.map((code_sha256) => ({ operator_id: operatorId, code_sha256, created_at: nowMs }))
  if (rows.length > 0) await transaction.insertInto('recovery_codes').values(rows).execute()
}

/** Locks the operator's row, so that changes of the factors run one after another. */
export async function lockOperator(transaction: Kysely<OperatorTables>, operatorId: string): Promise<void> {
  await transaction
    .updateTable('operators')
    .set((row) => ({ name: row.ref('name') }))
    .where('id', '=', operatorId)
    .execute()
}

/** A challenge that is answered, and the time from which it would not count anyway. */
export type SpentChallenge = { challengeSha256: string; expiresAtMs: number }

/**
 * Marks a challenge as used, in the transaction that uses it. Returns false if it has been used before. Browsers keep
 * challenges until then, so that strangers who only begin store nothing.
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
