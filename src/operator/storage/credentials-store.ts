import type { Kysely } from 'kysely'
import { inTransaction } from '#platform/database/transaction.ts'
import type { OperatorRow, OperatorTables, SessionRow } from './tables.ts'

/**
 * What changes passwords and opens sessions. A password is checked before, which takes long; each of these holds only
 * while the stored hash is still the one that was checked against, so that who changes a password has nobody come in by
 * the old one afterwards. Each locks the operator's row first, and therefore comes after or before each other.
 */
export type CredentialsStore = {
  /** Opens a session, and stores the hash made anew; false where the password has been changed meanwhile. */
  openSession(session: SessionRow, hashes: { verified: string; stored: string }): Promise<boolean>
  /** Sets a password, and ends the links and all sessions but one; false where it has been changed meanwhile. */
  changePassword(
    operatorId: string,
    hashes: { verified: string; stored: string },
    keptSessionSha256: string,
  ): Promise<boolean>
  /** Uses a link up: sets the password, ends all links and sessions, opens one; false where the link has ended. */
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

/** Changes an operator whose password hash is the verified one, where one is given; locks the row. */
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
