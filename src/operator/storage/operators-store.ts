import type { Kysely } from 'kysely'
import { inTransaction } from '#platform/database/transaction.ts'
import { isUniqueViolation } from '#platform/database/unique-violation.ts'
import { lastOperator, operatorNameTaken, operatorNotFound } from '../errors.ts'
import type { OperatorRow, OperatorTables, SignInLinkRow } from './tables.ts'

/** Operators and their sign-in links. */
export type OperatorsStore = {
  /** Adds an operator with a first link. @throws operatorNameTaken */
  create(operator: OperatorRow, link: SignInLinkRow): Promise<void>
  find(id: string): Promise<OperatorRow | undefined>
  findByName(nameKey: string): Promise<OperatorRow | undefined>
  /** Returns all operators, the oldest first. */
  list(): Promise<OperatorRow[]>
  isEmpty(): Promise<boolean>
  /** Adds a link and ends the operator's earlier ones. @throws operatorNotFound */
  replaceLink(link: SignInLinkRow): Promise<void>
  /** Finds the operator of a link; undefined for an unknown or expired one. */
  findByLink(tokenSha256: string, nowMs: number): Promise<OperatorRow | undefined>
  /** Deletes an operator with all sessions and links. @throws operatorNotFound or lastOperator */
  delete(id: string): Promise<void>
  removeExpiredLinks(nowMs: number): Promise<void>
}

export function createOperatorsStore(db: Kysely<OperatorTables>): OperatorsStore {
  return {
    async create(operator, link) {
      try {
        await inTransaction(db, async (transaction) => {
          await transaction.insertInto('operators').values(operator).execute()
          await transaction.insertInto('sign_in_links').values(link).execute()
        })
      } catch (cause) {
        throw isUniqueViolation(cause, 'operators', ['name_key']) ? operatorNameTaken({ cause }) : cause
      }
    },

    async find(id) {
      return await db.selectFrom('operators').selectAll().where('id', '=', id).executeTakeFirst()
    },

    async findByName(nameKey) {
      return await db.selectFrom('operators').selectAll().where('name_key', '=', nameKey).executeTakeFirst()
    },

    async list() {
      return await db.selectFrom('operators').selectAll().orderBy('created_at').orderBy('id').execute()
    },

    async isEmpty() {
      return (await db.selectFrom('operators').select('id').limit(1).executeTakeFirst()) === undefined
    },

    async replaceLink(link) {
      await inTransaction(db, async (transaction) => {
        const operator = await createOperatorsStore(transaction).find(link.operator_id)
        if (operator === undefined) throw operatorNotFound()
        await transaction.deleteFrom('sign_in_links').where('operator_id', '=', link.operator_id).execute()
        await transaction.insertInto('sign_in_links').values(link).execute()
      })
    },

    async findByLink(tokenSha256, nowMs) {
      return await db
        .selectFrom('sign_in_links')
        .innerJoin('operators', 'operators.id', 'sign_in_links.operator_id')
        .selectAll('operators')
        .where('token_sha256', '=', tokenSha256)
        .where('expires_at', '>', nowMs)
        .executeTakeFirst()
    },

    async delete(id) {
      await inTransaction(db, (transaction) => deleteOperator(transaction, id), { isolation: 'serializable' })
    },

    async removeExpiredLinks(nowMs) {
      await db.deleteFrom('sign_in_links').where('expires_at', '<=', nowMs).execute()
    },
  }
}

/** Runs serializable: two operators who delete each other at once would otherwise leave none. */
async function deleteOperator(transaction: Kysely<OperatorTables>, id: string): Promise<void> {
  const ids = (await transaction.selectFrom('operators').select('id').execute()).map((operator) => operator.id)
  if (!ids.includes(id)) throw operatorNotFound()
  if (ids.length === 1) throw lastOperator()
  await transaction.deleteFrom('operators').where('id', '=', id).execute()
  await transaction.deleteFrom('sessions').where('operator_id', '=', id).execute()
  await transaction.deleteFrom('sign_in_links').where('operator_id', '=', id).execute()
}
