import type { Kysely } from 'kysely'
import { lastLocalOwner } from './errors.ts'
import type { OperatorTables } from './tables.ts'

/** The accounts of people who sign in through the provider of the settings, by the issuer of their identity. */
export type ProviderAccounts = {
  /** Spellings of the issuer; none without a provider. */
  readonly issuers: readonly string[]
  /** The same where these accounts take no password, passkey or code here; none where they do. */
  readonly issuersWithoutCredentials: readonly string[]
}

/** Without a provider, all accounts are local, including accounts of an earlier provider. */
export const NO_PROVIDER: ProviderAccounts = { issuers: [], issuersWithoutCredentials: [] }

/** Tells which accounts sign in at the provider alone. */
export type LocalCredentials = ReturnType<typeof createLocalCredentials>

export function createLocalCredentials(
  db: Kysely<OperatorTables>,
  { issuersWithoutCredentials: issuers }: ProviderAccounts,
) {
  return {
    /** Tells whether an operator may neither have nor use a password, a passkey or a code here. */
    areRefusedTo: async (operatorId: string): Promise<boolean> => await hasIdentity(db, operatorId, issuers),
  }
}

/** Tells whether an operator has an identity at one of the issuers. */
export async function hasIdentity(
  db: Kysely<OperatorTables>,
  operatorId: string,
  issuers: readonly string[],
): Promise<boolean> {
  if (issuers.length === 0) return false
  const query = db.selectFrom('identities').select('subject').where('operator_id', '=', operatorId)
  return (await query.where('issuer', 'in', issuers).limit(1).executeTakeFirst()) !== undefined
}

/** Returns the operators with an identity at one of the issuers, of which there is at least one, as a subquery. */
export function operatorsOf(db: Kysely<OperatorTables>, issuers: readonly string[]) {
  return db.selectFrom('identities').select('identities.operator_id').where('issuer', 'in', issuers)
}

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

/** The second factor that the settings may require of every operator. */
export type RequiredFactor = ReturnType<typeof createRequiredFactor>

export function createRequiredFactor(
  db: Kysely<OperatorTables>,
  isRequired: boolean,
  localCredentials: LocalCredentials,
) {
  return {
    /** True if the settings require one. */
    isRequired,
    /** Tells whether an operator has to set one up before anything else. Without the requirement, it asks nobody. */
    isMissing: async (operatorId: string): Promise<boolean> =>
      isRequired && (await isFactorMissing(db, operatorId)) && !(await localCredentials.areRefusedTo(operatorId)),
  }
}

/**
 * Tells whether an operator has no second factor. One who has no password and signs in through the identity provider
 * needs none here: it is the provider that asks for it.
 */
async function isFactorMissing(db: Kysely<OperatorTables>, operatorId: string): Promise<boolean> {
  const found = await db
    .selectFrom('operators')
    .leftJoin('totp_secrets', (join) =>
      join.onRef('totp_secrets.operator_id', '=', 'operators.id').on('totp_secrets.confirmed_at', 'is not', null),
    )
    .leftJoin('passkeys', 'passkeys.operator_id', 'operators.id')
    .leftJoin('identities', 'identities.operator_id', 'operators.id')
    .select(['password_hash', 'totp_secrets.operator_id as app', 'passkeys.id as passkey', 'subject'])
    .where('operators.id', '=', operatorId)
    .limit(1)
    .executeTakeFirst()
  if (found === undefined || found.app !== null || found.passkey !== null) return false
  return found.password_hash !== null || found.subject === null
}
