import type { Kysely } from 'kysely'
import type { Settings } from '#platform/config.ts'
import type { Logger } from '#platform/logger.ts'
import type { Secrets } from '#platform/security/secret.ts'
import type { operatorConfig } from '../config.ts'
import { createSealedCookie } from '../sessions/sealed-cookie.ts'
import { createIdentitiesStore } from '../storage/identities-store.ts'
import type { OperatorTables } from '../storage/tables.ts'
import { createIdentityProvider, PROVIDER_LIFETIME_MS, type ProviderState } from './identity-provider.ts'
import { providerSettings } from './provider-settings.ts'

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
  return {
    /** Undefined without a provider in the settings. */
    provider: settings && createIdentityProvider({ settings, baseUrl, logger, now }),
    /** Null without a provider. */
    providerIssuer: settings?.issuer ?? null,
    /** Text of the button; null without a provider. */
    providerButton: settings?.button ?? null,
    identities: createIdentitiesStore(db, now),
    providerCookie: createSealedCookie<ProviderState>('trackpress_provider', {
      secrets,
      baseUrl,
      now,
      lifetimeMs: PROVIDER_LIFETIME_MS,
    }),
  }
}
