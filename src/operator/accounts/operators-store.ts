import type { Kysely } from 'kysely'
import { inTransaction, isUniqueViolation } from '#platform/database/transaction.ts'
import { accountSuspended, lastOwner, operatorNameTaken, operatorNotFound, signsInAtProvider } from '../model/errors.ts'
import { lockOperator, removeFactors } from '../model/factors-store.ts'
import { grantRows, type OperatorRights, readRights } from '../model/operator-rights.ts'
import {
  hasIdentity,
  keepLocalOwner,
  NO_PROVIDER,
  operatorsOf,
  type ProviderAccounts,
} from '../model/provider-accounts.ts'
import type { OperatorRow, OperatorTables, SignInLinkRow } from '../model/tables.ts'

/** An operator with its rights. Without `mayHaveCredentials`, its person signs in at the provider alone. */
export type Operator = OperatorRow & { rights: OperatorRights; mayHaveCredentials: boolean }

/** Operators and their sign-in links. */
export type OperatorsStore = ReturnType<typeof createOperatorsStore>

/** Two owners who remove or demote each other at once would otherwise leave none. */
const ONE_BY_ONE = { isolation: 'serializable' } as const

export function createOperatorsStore(
  db: Kysely<OperatorTables>,
  { issuersWithoutCredentials: issuers }: ProviderAccounts = NO_PROVIDER,
) {
  return {
    /** Adds an operator with a first link. @throws operatorNameTaken */
    async create({ rights, mayHaveCredentials: _may, ...operator }: Operator, link: SignInLinkRow): Promise<void> {
      try {
        await inTransaction(db, async (transaction) => {
          await transaction.insertInto('operators').values(operator).execute()
          await transaction.insertInto('sign_in_links').values(link).execute()
          await storeRights(transaction, operator.id, rights)
        })
      } catch (cause) {
        throw isUniqueViolation(cause, 'operators', ['name_key']) ? operatorNameTaken({ cause }) : cause
      }
    },

    async find(id: string): Promise<OperatorRow | undefined> {
      return await db.selectFrom('operators').selectAll().where('id', '=', id).executeTakeFirst()
    },

    async findByName(nameKey: string): Promise<OperatorRow | undefined> {
      return await db.selectFrom('operators').selectAll().where('name_key', '=', nameKey).executeTakeFirst()
    },

    /** Returns all operators, the oldest first. */
    list: (): Promise<Operator[]> => listOperators(db, issuers),

    async isEmpty(): Promise<boolean> {
      return (await db.selectFrom('operators').select('id').limit(1).executeTakeFirst()) === undefined
    },

    /**
     * Adds a link and ends the operator's earlier ones.
     * @throws operatorNotFound, accountSuspended or signsInAtProvider
     */
    async replaceLink(link: SignInLinkRow): Promise<void> {
      await inTransaction(db, async (transaction) => {
        // An operator who suspends the account meanwhile ends the link.
        await lockOperator(transaction, link.operator_id)
        const operator = await createOperatorsStore(transaction).find(link.operator_id)
        if (operator === undefined) throw operatorNotFound()
        if (operator.suspended_at !== null) throw accountSuspended()
        if (await hasIdentity(transaction, operator.id, issuers)) throw signsInAtProvider()
        await transaction.deleteFrom('sign_in_links').where('operator_id', '=', link.operator_id).execute()
        await transaction.insertInto('sign_in_links').values(link).execute()
      })
    },

    /** Finds the operator of a link; undefined for an unknown or expired one. */
    async findByLink(tokenSha256: string, nowMs: number): Promise<OperatorRow | undefined> {
      return await db
        .selectFrom('sign_in_links')
        .innerJoin('operators', 'operators.id', 'sign_in_links.operator_id')
        .selectAll('operators')
        .where('token_sha256', '=', tokenSha256)
        .where('expires_at', '>', nowMs)
        .executeTakeFirst()
    },

    /**
     * Replaces the rights of an operator by the result of `change`, which may be called several times.
     * @throws operatorNotFound or lastOwner, and the errors of `change`
     */
    async changeRights(id: string, change: (before: OperatorRights) => OperatorRights): Promise<Operator> {
      return await inTransaction(
        db,
        (transaction) => keepLocalOwner(transaction, issuers, () => changeRights(transaction, issuers, id, change)),
        ONE_BY_ONE,
      )
    },

    /** Deletes an operator with all sessions and links. @throws operatorNotFound or lastOwner */
    async delete(id: string): Promise<void> {
      await inTransaction(
        db,
        (transaction) => keepLocalOwner(transaction, issuers, () => deleteOperator(transaction, issuers, id)),
        ONE_BY_ONE,
      )
    },

    async removeExpiredLinks(nowMs: number): Promise<void> {
      await db.deleteFrom('sign_in_links').where('expires_at', '<=', nowMs).execute()
    },
  }
}

async function listOperators(db: Kysely<OperatorTables>, issuers: readonly string[]): Promise<Operator[]> {
  const ofProvider = issuers.length === 0 ? [] : await operatorsOf(db, issuers).execute()
  const withoutCredentials = new Set(ofProvider.map(({ operator_id }) => operator_id))
  const rows = await db
    .selectFrom('operators')
    .leftJoin('operator_grants', 'operator_grants.operator_id', 'operators.id')
    .selectAll('operators')
    .select(['operator_grants.kind', 'operator_grants.subject_id'])
    .orderBy('operators.created_at')
    .orderBy('operators.id')
    .execute()
  return [...Map.groupBy(rows, ({ id }) => id).values()].map((ofOne) => {
    const [{ kind: _kind, subject_id: _subject, ...operator }] = ofOne
    return { ...operator, rights: readRights(ofOne), mayHaveCredentials: !withoutCredentials.has(operator.id) }
  })
}

/** Runs serializable, so that no other owner can go meanwhile. */
async function changeRights(
  transaction: Kysely<OperatorTables>,
  issuers: readonly string[],
  id: string,
  change: (before: OperatorRights) => OperatorRights,
): Promise<Operator> {
  const operators = await listOperators(transaction, issuers)
  const operator = operators.find((one) => one.id === id)
  if (operator === undefined) throw operatorNotFound()
  const rights = change(operator.rights)
  if (rights.role !== 'owner') requireAnotherOwner(operators, operator)
  await storeRights(transaction, id, rights)
  return { ...operator, rights }
}

/** Runs serializable, so that no other owner can go meanwhile. */
async function deleteOperator(
  transaction: Kysely<OperatorTables>,
  issuers: readonly string[],
  id: string,
): Promise<void> {
  const operators = await listOperators(transaction, issuers)
  const operator = operators.find((one) => one.id === id)
  if (operator === undefined) throw operatorNotFound()
  requireAnotherOwner(operators, operator)
  await transaction.deleteFrom('operators').where('id', '=', id).execute()
  await transaction.deleteFrom('operator_grants').where('operator_id', '=', id).execute()
  await transaction.deleteFrom('sessions').where('operator_id', '=', id).execute()
  await transaction.deleteFrom('sign_in_links').where('operator_id', '=', id).execute()
  await transaction.deleteFrom('identities').where('operator_id', '=', id).execute()
  await removeFactors(transaction, id)
}

/** @throws lastOwner if this operator is an owner and no other operator is */
function requireAnotherOwner(operators: readonly Operator[], { id, role }: Operator): void {
  if (role !== 'owner') return
  const others = operators.filter((other) => other.id !== id && other.role === 'owner' && other.suspended_at === null)
  if (others.length === 0) throw lastOwner()
}

async function storeRights(db: Kysely<OperatorTables>, id: string, rights: OperatorRights): Promise<void> {
  const columns = { role: rights.role, is_limited: rights.limitedTo === null ? 0 : 1 }
  await db.updateTable('operators').set(columns).where('id', '=', id).execute()
  await db.deleteFrom('operator_grants').where('operator_id', '=', id).execute()
  const grants = grantRows(id, rights)
  if (grants.length > 0) await db.insertInto('operator_grants').values(grants).execute()
}
