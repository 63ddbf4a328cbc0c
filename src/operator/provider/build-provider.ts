import type { Kysely } from 'kysely'
import type { Settings } from '#platform/config.ts'
import type { Logger } from '#platform/logger.ts'
import type { Secrets } from '#platform/security/secret.ts'
import type { operatorConfig } from '../config.ts'
import { createSealedCookie } from '../sessions/sealed-cookie.ts'
import { createIdentitiesStore } from '../storage/identities-store.ts'
import { createLocalCredentials } from '../storage/provider-accounts.ts'
import type { OperatorTables } from '../storage/tables.ts'
import { createIdentityProvider, PROVIDER_LIFETIME_MS, type ProviderState } from './identity-provider.ts'
import { providerAccounts, providerSettings } from './provider-settings.ts'

type Options = {
  config: Settings<typeof operatorConfig>
  secrets: Secrets
  baseUrl: () => string
  logger: Logger
  now: () => number
}

/** Builds the sign-in through a provider on the operators' database. @throws ConfigError */
export function buildProvider({ config, secrets, baseUrl, logger, now }: Options, db: Kysely<OperatorTables>) {
  const settings = providerSettings(config)
  const accounts = providerAccounts(config)
  return {
    /** Undefined without a provider in the settings. */
    provider: settings && createIdentityProvider({ settings, baseUrl, logger, now }),
    /** Null without a provider. */
    providerIssuer: settings?.issuer ?? null,
    /** Text of the button; null without a provider. */
    providerButton: settings?.button ?? null,
    /** Reach of new accounts that are not owners; null without a provider. */
    providerReach: settings?.newAccountsReach ?? null,
    /** The accounts of the provider. */
    providerAccounts: accounts,
    localCredentials: createLocalCredentials(db, accounts),
    identities: createIdentitiesStore(db, {
      accounts,
      reachesEverything: settings?.newAccountsReach !== 'nothing',
      now,
    }),
    providerCookie: createSealedCookie<ProviderState>('trackpress_provider', {
      secrets,
      baseUrl,
      now,
      lifetimeMs: PROVIDER_LIFETIME_MS,
    }),
  }
}
