import type { HttpServer } from '#platform/http/http-server.ts'
import { passkeySite } from '../passkeys/passkey-site.ts'
import { ConfirmationMethods } from '../schemas.ts'
import { type FactorsStore, hasFactor } from '../storage/factors-store.ts'
import type { IdentitiesStore } from '../storage/identities-store.ts'
import type { OperatorsStore } from '../storage/operators-store.ts'
import type { LocalCredentials } from '../storage/provider-accounts.ts'

type Deps = {
  operators: Pick<OperatorsStore, 'find'>
  factors: Pick<FactorsStore, 'summary'>
  identities: Pick<IdentitiesStore, 'issuersOf'>
  localCredentials: LocalCredentials
  providerIssuer: string | null
  providerButton: string | null
  baseUrl: () => string
}

/** The ways of an account that signs in at the provider alone. */
const NOTHING = {
  may_have_credentials: false,
  password: false,
  has_password: false,
  authenticator_app: false,
  recovery_code: false,
  passkey: false,
}

/** GET /operator/session/confirmation */
export function getConfirmationMethods(app: HttpServer, deps: Deps) {
  const { operators, factors, identities, localCredentials, providerIssuer, providerButton, baseUrl } = deps

  async function isKnownToProvider(operatorId: string): Promise<boolean> {
    if (providerIssuer === null) return false
    // Providers and settings may differ in the slash at the end.
    const issuers = (await identities.issuersOf(operatorId)).map((issuer) => new URL(issuer).href)
    return issuers.includes(new URL(providerIssuer).href)
  }

  app.get(
    '/operator/session/confirmation',
    {
      config: { operator: { role: 'viewer', effect: 'reads', withoutSecondFactor: true } },
      schema: {
        operationId: 'getConfirmationMethods',
        summary: 'Get the ways to confirm the session',
        description: 'What the current operator can confirm with. All are false or null if there is no way.',
        tags: ['Signing in'],
        response: { 200: ConfirmationMethods },
      },
    },
    async ({ operatorId }) => {
      const [operator, summary, isKnown, areRefused] = await Promise.all([
        operators.find(operatorId),
        factors.summary(operatorId),
        isKnownToProvider(operatorId),
        localCredentials.areRefusedTo(operatorId),
      ])
      const button = isKnown ? providerButton : null
      if (areRefused) return { ...NOTHING, provider: button }
      const hasPassword = operator?.password_hash != null
      return {
        may_have_credentials: true,
        password: hasPassword && !hasFactor(summary),
        has_password: hasPassword,
        authenticator_app: summary.appSinceMs !== undefined,
        recovery_code: summary.recoveryCodesLeft > 0,
        passkey: summary.passkeys > 0 && passkeySite(baseUrl()) !== undefined,
        provider: button,
      }
    },
  )
}
