import type { HttpServer } from '#platform/http/http-server.ts'
import { passkeySite } from '../passkeys/passkey-site.ts'
import { ConfirmationMethods } from '../schemas.ts'
import type { FactorsStore } from '../storage/factors-store.ts'
import type { IdentitiesStore } from '../storage/identities-store.ts'
import type { OperatorsStore } from '../storage/operators-store.ts'

type Deps = {
  operators: Pick<OperatorsStore, 'find'>
  factors: Pick<FactorsStore, 'summary'>
  identities: Pick<IdentitiesStore, 'issuersOf'>
  providerIssuer: string | null
  providerButton: string | null
  baseUrl: () => string
}

/** GET /operator/session/confirmation */
export function getConfirmationMethods(app: HttpServer, deps: Deps) {
  const { operators, factors, identities, providerIssuer, providerButton, baseUrl } = deps

  async function isKnownToProvider(operatorId: string): Promise<boolean> {
    if (providerIssuer === null) return false
    // Providers and settings may differ in the slash at the end.
    const issuers = (await identities.issuersOf(operatorId)).map((issuer) => new URL(issuer).href)
    return issuers.includes(new URL(providerIssuer).href)
  }

  app.get(
    '/operator/session/confirmation',
    {
      config: { operator: { role: 'viewer', withoutSecondFactor: true } },
      schema: {
        operationId: 'getConfirmationMethods',
        summary: 'Get the ways to confirm the session',
        description: 'What the current operator can confirm with. All are false or null if there is no way.',
        tags: ['Signing in'],
        response: { 200: ConfirmationMethods },
      },
    },
    async ({ operatorId }) => {
      const [operator, { appSinceMs, passkeys, recoveryCodesLeft }, isKnown] = await Promise.all([
        operators.find(operatorId),
        factors.summary(operatorId),
        isKnownToProvider(operatorId),
      ])
      return {
        password: operator?.password_hash != null,
        authenticator_app: appSinceMs !== undefined,
        recovery_code: recoveryCodesLeft > 0,
        passkey: passkeys > 0 && passkeySite(baseUrl()) !== undefined,
        provider: isKnown ? providerButton : null,
      }
    },
  )
}
