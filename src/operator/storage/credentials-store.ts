import type { Kysely } from 'kysely'
import { inTransaction } from '#platform/database/transaction.ts'
import type { OperatorRow, OperatorTables, SessionRow } from './tables.ts'

/**
 * Changes passwords and opens sessions. A password is checked before, which takes a while. Each change applies only if
 * the stored hash is still the one that was checked, so that nobody signs in with the old password after a change. Each
 * locks the operator's row first, so that they run one after another.
 */
export type CredentialsStore = {
  /** Opens a session and stores the new hash. Returns false if the password was changed meanwhile. */
  openSession(session: SessionRow, hashes: { verified: string; stored: string }): Promise<boolean>
  /** Sets a password, and ends the links and all sessions but one. Returns false if it was changed meanwhile. */
  changePassword(
    operatorId: string,
    hashes: { verified: string; stored: string },
    keptSessionSha256: string,
  ): Promise<boolean>
  /** Uses a link: sets the password, ends all links and sessions, opens a session. Returns false if the link has ended. */
  redeemLink(tokenSha256: string, passwordHash: string, session: SessionRow): Promise<boolean>
}

export function createCredentialsStore(db: Kysely<OperatorTables>): CredentialsStore {
  return {
    async openSession(session, { verified, stored }) {
      return await inTransaction(db, async (transaction) => {
        const changes = { password_hash: stored, last_sign_in_at: session.created_at }
        if (!(await updateOperator(transaction, session.operator_id, verified, changes))) return false
        await transaction.insertInto('sessions').values(session).execute()
        return true
      })
    },

    async changePassword(operatorId, { verified, stored }, keptSessionSha256) {
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

    async redeemLink(tokenSha256, passwordHash, session) {
      const operatorId = session.operator_id
      return await inTransaction(db, async (transaction) => {
        const changes = { password_hash: passwordHash, last_sign_in_at: session.created_at }
        if (!(await updateOperator(transaction, operatorId, undefined, changes))) return false
        if (!(await deleteLink(transaction, tokenSha256, session.created_at))) throw new LinkEnded()
        await transaction.deleteFrom('sign_in_links').where('operator_id', '=', operatorId).execute()
        await transaction.deleteFrom('sessions').where('operator_id', '=', operatorId).execute()
        await transaction.insertInto('sessions').values(session).execute()
        return true
      }).catch((error) => {
        if (error instanceof LinkEnded) return false
        throw error
      })
    },
  }
}

/** Rolls the transaction back. */
class LinkEnded extends Error {}

/** Changes an operator and locks the row. If `verified` is given, only while it is the stored password hash. */
async function updateOperator(
  transaction: Kysely<OperatorTables>,
  id: string,
  verified: string | undefined,
  changes: Partial<OperatorRow>,
): Promise<boolean> {
  const query = transaction.updateTable('operators').set(changes).where('id', '=', id)
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
