import type { Kysely } from 'kysely'
import { deriveKeys, type Secrets } from '#platform/security/secret.ts'
import { createSecondFactors } from '../factors/second-factors.ts'
import { createSealedCookie } from '../sessions/sealed-cookie.ts'
import { createFactorsStore } from '../storage/factors-store.ts'
import { createPasskeysStore } from '../storage/passkeys-store.ts'
import type { LocalCredentials, ProviderAccounts } from '../storage/provider-accounts.ts'
import { createRequiredFactor } from '../storage/required-factor.ts'
import { TOTP_SECRETS } from '../storage/sealed-columns.ts'
import type { OperatorTables } from '../storage/tables.ts'
import { createPasskeyCeremonies, PASSKEY_LIFETIME_MS } from './passkey-ceremonies.ts'
import { createPasskeys, type PasskeyChallenge } from './passkeys.ts'

type Options = {
  isFactorRequired: boolean
  providerAccounts: ProviderAccounts
  localCredentials: LocalCredentials
  secrets: Secrets
  baseUrl: () => string
  now: () => number
}

/** Builds second factors and passkeys on the operators' database. */
export function buildFactors(options: Options, db: Kysely<OperatorTables>) {
  const { isFactorRequired, providerAccounts, localCredentials, secrets, baseUrl, now } = options
  const factors = createFactorsStore(db)
  const passkeysStore = createPasskeysStore(db, providerAccounts)
  return {
    factors,
    requiredFactor: createRequiredFactor(db, isFactorRequired, localCredentials),
    passkeysStore,
    secondFactors: createSecondFactors({ factors, sealingKeys: deriveKeys(secrets, TOTP_SECRETS), now }),
    passkeys: createPasskeys({ passkeysStore, ceremonies: createPasskeyCeremonies(baseUrl), now }),
    passkeyCookie: createSealedCookie<PasskeyChallenge>('trackpress_passkey', {
      secrets,
      baseUrl,
      now,
      lifetimeMs: PASSKEY_LIFETIME_MS,
    }),
  }
}
