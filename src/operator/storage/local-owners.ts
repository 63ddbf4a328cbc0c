import type { Kysely } from 'kysely'
import { lastLocalOwner } from '../errors.ts'
import { operatorsOf } from './provider-accounts.ts'
import type { OperatorTables } from './tables.ts'

/**
 * Runs a change that may take away the last owner who can sign in here, with a password or a passkey. Accounts of
 * `issuersWithoutCredentials` cannot. To be called in a serializable transaction, which the error rolls back.
 * @throws lastLocalOwner if there was one before, and none is left
 */
export async function keepLocalOwner<Result>(
  transaction: Kysely<OperatorTables>,
  issuersWithoutCredentials: readonly string[],
  change: () => Promise<Result>,
): Promise<Result> {
  const before = await hasLocalOwner(transaction, issuersWithoutCredentials)
  const result = await change()
  if (before && !(await hasLocalOwner(transaction, issuersWithoutCredentials))) throw lastLocalOwner()
  return result
}

/**
 * Tells whether an operator is the last owner, or the last one who can sign in here. To be called in a serializable
 * transaction.
 */
export async function isLastOwner(
  transaction: Kysely<OperatorTables>,
  id: string,
  issuersWithoutCredentials: readonly string[],
): Promise<boolean> {
  const owners = await transaction
    .selectFrom('operators')
    .select('id')
    .where('role', '=', 'owner')
    .where('suspended_at', 'is', null)
    .execute()
  if (!owners.some((owner) => owner.id === id)) return false
  if (owners.length === 1) return true
  const local = await localOwners(transaction, issuersWithoutCredentials)
    .select('operators.id')
    .distinct()
    .limit(2)
    .execute()
  return local.length === 1 && local[0].id === id
}

async function hasLocalOwner(transaction: Kysely<OperatorTables>, issuers: readonly string[]): Promise<boolean> {
  return (await localOwners(transaction, issuers).select('operators.id').limit(1).executeTakeFirst()) !== undefined
}

function localOwners(transaction: Kysely<OperatorTables>, issuers: readonly string[]) {
  const owners = transaction
    .selectFrom('operators')
    .leftJoin('passkeys', 'passkeys.operator_id', 'operators.id')
    .where('operators.role', '=', 'owner')
    .where('operators.suspended_at', 'is', null)
    .where((row) => row.or([row('operators.password_hash', 'is not', null), row('passkeys.id', 'is not', null)]))
  if (issuers.length === 0) return owners
  return owners.where((row) => row('operators.id', 'not in', operatorsOf(transaction, issuers)))
}
