import { notFound } from '#platform/errors.ts'
import type { HttpServer } from '#platform/http/http-server.ts'
import { passkeySite } from '../passkeys/passkey-site.ts'
import { SignInMethods } from '../schemas.ts'

type Deps = { baseUrl: () => string; providerButton: string | null }

/** GET /operator/sign-in-methods */
export function getSignInMethods(app: HttpServer, { baseUrl, providerButton }: Deps) {
  app.get(
    '/operator/sign-in-methods',
    {
      schema: {
        operationId: 'getSignInMethods',
        summary: 'Get the ways to sign in',
        description: 'For the sign-in page. They are the same for everyone, and reveal nothing about operators.',
        tags: ['Signing in'],
        // Under another host name than that of the dashboard.
        problems: [notFound],
        response: { 200: SignInMethods },
      },
    },
    async () => ({ passkeys: passkeySite(baseUrl()) !== undefined, provider: providerButton }),
  )
}
