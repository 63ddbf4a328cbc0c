import { rateLimited } from '#platform/errors.ts'
import type { HttpServer } from '#platform/http/http-server.ts'
import { noProvider, providerUnavailable } from '../errors.ts'
import type { SealedCookie } from '../sessions/sealed-cookie.ts'
import type { IdentityProvider, ProviderState } from './identity-provider.ts'
import { limitVisits } from './limit-visits.ts'
import { ProviderAddress } from './provider-schemas.ts'

type Deps = { provider: Pick<IdentityProvider, 'begin'> | undefined; providerCookie: SealedCookie<ProviderState> }

/** POST /operator/session/confirmation/provider/address */
export function beginProviderConfirmation(app: HttpServer, { provider, providerCookie }: Deps) {
  app.post(
    '/operator/session/confirmation/provider/address',
    {
      config: { operator: { role: 'viewer', effect: 'changes', withoutSecondFactor: true } },
      onRequest: limitVisits(),
      schema: {
        operationId: 'confirmWithProviderAddress',
        summary: 'Begin to confirm the session at the identity provider',
        description: 'The provider is told to ask the person to sign in again.',
        tags: ['Signing in'],
        problems: [noProvider, rateLimited, providerUnavailable],
        response: { 200: ProviderAddress },
      },
    },
    async ({ operatorId }, reply) => {
      if (provider === undefined) throw noProvider()
      const { url, state } = await provider.begin({ purpose: 'confirm', operatorId })
      providerCookie.write(reply, state)
      return { url }
    },
  )
}
