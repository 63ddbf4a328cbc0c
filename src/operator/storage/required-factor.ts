import type { Kysely } from 'kysely'
import type { LocalCredentials } from './provider-accounts.ts'
import type { OperatorTables } from './tables.ts'

/** The second factor that the settings may require of every operator. */
export type RequiredFactor = {
  /** True if the settings require one. */
  readonly isRequired: boolean
  /** Tells whether an operator has to set one up before anything else. Without the requirement, it asks nobody. */
  isMissing(operatorId: string): Promise<boolean>
}

export function createRequiredFactor(
  db: Kysely<OperatorTables>,
  isRequired: boolean,
  localCredentials: LocalCredentials,
): RequiredFactor {
  return {
    isRequired,
    isMissing: async (operatorId) =>
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
