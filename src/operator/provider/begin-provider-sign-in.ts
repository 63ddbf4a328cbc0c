import { rateLimited } from '#platform/errors.ts'
import type { HttpServer } from '#platform/http/http-server.ts'
import { crossSite, noProvider, providerUnavailable } from '../errors.ts'
import type { SealedCookie } from '../sessions/sealed-cookie.ts'
import type { IdentityProvider, ProviderState } from './identity-provider.ts'
import { limitVisits } from './limit-visits.ts'
import { ProviderAddress } from './provider-schemas.ts'

type Deps = { provider: Pick<IdentityProvider, 'begin'> | undefined; providerCookie: SealedCookie<ProviderState> }

/** POST /operator/session/provider/address */
export function beginProviderSignIn(app: HttpServer, { provider, providerCookie }: Deps) {
  app.post(
    '/operator/session/provider/address',
    {
      onRequest: limitVisits(),
      schema: {
        operationId: 'signInWithProviderAddress',
        summary: 'Begin to sign in through the identity provider',
        description:
          'The response sets a cookie that the answer of the provider is checked with, within 30 minutes. The first request contacts the provider.',
        tags: ['Signing in'],
        problems: [crossSite, noProvider, rateLimited, providerUnavailable],
        response: { 200: ProviderAddress },
      },
    },
    async (_request, reply) => {
      if (provider === undefined) throw noProvider()
      const { url, state } = await provider.begin({ purpose: 'sign in' })
      providerCookie.write(reply, state)
      return { url }
    },
  )
}
