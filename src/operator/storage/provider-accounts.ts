import type { Kysely } from 'kysely'
import type { OperatorTables } from './tables.ts'

/** The accounts of people who sign in through the provider of the settings, by the issuer of their identity. */
export type ProviderAccounts = {
  /** Spellings of the issuer; none without a provider. */
  readonly issuers: readonly string[]
  /** The same where these accounts take no password, passkey or code here; none where they do. */
  readonly issuersWithoutCredentials: readonly string[]
}

/** Without a provider, all accounts are local ones, also those that an earlier provider has brought. */
export const NO_PROVIDER: ProviderAccounts = { issuers: [], issuersWithoutCredentials: [] }

/** Tells which accounts sign in at the provider alone. */
export type LocalCredentials = {
  /** Tells whether an operator may neither have nor use a password, a passkey or a code here. */
  areRefusedTo(operatorId: string): Promise<boolean>
}

export function createLocalCredentials(
  db: Kysely<OperatorTables>,
  { issuersWithoutCredentials: issuers }: ProviderAccounts,
): LocalCredentials {
  return { areRefusedTo: async (operatorId) => await hasIdentity(db, operatorId, issuers) }
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
