import type { Kysely } from 'kysely'
import { inTransaction } from '#platform/database/transaction.ts'
import { type FactorUse, spendFactor } from '../model/factors-store.ts'
import type { OperatorRow, OperatorTables, SessionRow } from '../model/tables.ts'

/**
 * Changes passwords and opens sessions. A password is checked before, which takes a while. Each change applies only if
 * the stored hash is still the checked one, so that nobody signs in with the old password after a change. Each locks
 * the operator's row first, so that they run one after another.
 */
export type SignInStore = ReturnType<typeof createSignInStore>

type RedeemedLink = { tokenSha256: string; operatorId: string; passwordHash: string; nowMs: number }

export function createSignInStore(db: Kysely<OperatorTables>) {
  return {
    /** Opens a session and stores the new hash. Returns false if the password was changed meanwhile. */
    async openSession(
      session: SessionRow,
      { verified, stored }: { verified: string; stored: string },
    ): Promise<boolean> {
      return await inTransaction(db, async (transaction) => {
        const changes = { password_hash: stored, last_sign_in_at: session.created_at }
        if (!(await updateOperator(transaction, session.operator_id, verified, changes))) return false
        await transaction.insertInto('sessions').values(session).execute()
        return true
      })
    },

    /** Opens a session with a second factor. Returns false if it has been used, or the password changed, meanwhile. */
    async openSessionWithFactor(session: SessionRow, verified: string, use: FactorUse): Promise<boolean> {
      return await inTransaction(db, async (transaction) => {
        const changes = { last_sign_in_at: session.created_at }
        if (!(await updateOperator(transaction, session.operator_id, verified, changes))) return false
        if (!(await spendFactor(transaction, session.operator_id, use))) throw new Ended()
        await transaction.insertInto('sessions').values(session).execute()
        return true
      }).catch(falseIfEnded)
    },

    /**
     * Opens a session with a passkey. Returns the name of the operator; undefined if the passkey
     * was removed, or its answer used, meanwhile.
     */
    async openSessionWithPasskey(session: SessionRow, use: FactorUse): Promise<string | undefined> {
      const operatorId = session.operator_id
      return await inTransaction(db, async (transaction) => {
        const changes = { last_sign_in_at: session.created_at }
        if (!(await updateOperator(transaction, operatorId, undefined, changes))) throw new Ended()
        if (!(await spendFactor(transaction, operatorId, use))) throw new Ended()
        await transaction.insertInto('sessions').values(session).execute()
        const operator = transaction.selectFrom('operators').select('name').where('id', '=', operatorId)
        return (await operator.executeTakeFirstOrThrow()).name
      }).catch((error) => falseIfEnded(error) || undefined)
    },

    /** Uses a factor for something else than a sign-in. Returns false if it has been used meanwhile. */
    async spendFactor(operatorId: string, use: FactorUse): Promise<boolean> {
      return await inTransaction(db, async (transaction) => {
        if (!(await spendFactor(transaction, operatorId, use))) throw new Ended()
        return true
      }).catch(falseIfEnded)
    },

    /** Stores a new hash of the same password. */
    async storeHash(operatorId: string, { verified, stored }: { verified: string; stored: string }): Promise<void> {
      await updateOperator(db, operatorId, verified, { password_hash: stored })
    },

    /** Sets a password, and ends the links and all sessions but one. Returns false if it was changed meanwhile. */
    async changePassword(
      operatorId: string,
      { verified, stored }: { verified: string; stored: string },
      keptSessionSha256: string,
    ): Promise<boolean> {
      return await inTransaction(db, async (transaction) => {
        if (!(await updateOperator(transaction, operatorId, verified, { password_hash: stored }))) return false
        await transaction.deleteFrom('sign_in_links').where('operator_id', '=', operatorId).execute()
        await transaction
          .deleteFrom('sessions')
          .where('operator_id', '=', operatorId)
          .where('token_sha256', '!=', keptSessionSha256)
          .execute()
        return true
      })
    },

    /**
     * Uses a link: sets the password, ends all links and sessions, and opens a session unless a second factor is needed
     * for it. Returns false if the link has ended.
     */
    async redeemLink(
      { tokenSha256, operatorId, passwordHash, nowMs }: RedeemedLink,
      session: SessionRow | undefined,
    ): Promise<boolean> {
      return await inTransaction(db, async (transaction) => {
        const signedIn = session === undefined ? {} : { last_sign_in_at: nowMs }
        const changes = { password_hash: passwordHash, ...signedIn }
        if (!(await updateOperator(transaction, operatorId, undefined, changes))) return false
        if (!(await deleteLink(transaction, tokenSha256, nowMs))) throw new Ended()
        await transaction.deleteFrom('sign_in_links').where('operator_id', '=', operatorId).execute()
        await transaction.deleteFrom('sessions').where('operator_id', '=', operatorId).execute()
        if (session !== undefined) await transaction.insertInto('sessions').values(session).execute()
        return true
      }).catch(falseIfEnded)
    },
  }
}

/** Rolls the transaction back: the link or the code has been used meanwhile. */
class Ended extends Error {}

function falseIfEnded(error: unknown): false {
  if (error instanceof Ended) return false
  throw error
}

/**
 * Changes an operator and locks the row, unless the account is suspended. If `verified` is given, only while it is the
 * stored password hash.
 */
async function updateOperator(
  transaction: Kysely<OperatorTables>,
  id: string,
  verified: string | undefined,
  changes: Partial<OperatorRow>,
): Promise<boolean> {
  const query = transaction.updateTable('operators').set(changes).where('id', '=', id).where('suspended_at', 'is', null)
  const { numUpdatedRows } = await (verified === undefined
    ? query
    : query.where('password_hash', '=', verified)
  ).executeTakeFirstOrThrow()
  return numUpdatedRows > 0n
}

async function deleteLink(transaction: Kysely<OperatorTables>, tokenSha256: string, nowMs: number): Promise<boolean> {
  const { numDeletedRows } = await transaction
    .deleteFrom('sign_in_links')
    .where('token_sha256', '=', tokenSha256)
    .where('expires_at', '>', nowMs)
    .executeTakeFirstOrThrow()
  return numDeletedRows > 0n
}
