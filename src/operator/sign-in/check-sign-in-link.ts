import { rateLimited } from '#platform/errors.ts'
import type { HttpServer } from '#platform/http/http-server.ts'
import { crossSite, linkEnded } from '../errors.ts'
import { SignInLinkCheck, SignInLinkOwner } from '../schemas.ts'
import { clientOf } from '../sessions/start-session.ts'
import type { Authentication } from './authenticate.ts'

type Deps = { authentication: Pick<Authentication, 'ownerOfLink'> }

/** POST /operator/sign-in-link/check */
export function checkSignInLink(app: HttpServer, { authentication }: Deps) {
  app.post(
    '/operator/sign-in-link/check',
    {
      schema: {
        operationId: 'checkSignInLink',
        summary: 'Check a sign-in link',
        description:
          'Tells whose link it is, without using it. The token is in the body, because addresses are logged.',
        tags: ['Signing in'],
        body: SignInLinkCheck,
        problems: [crossSite, linkEnded, rateLimited],
        response: { 200: SignInLinkOwner },
      },
    },
    async (request) => ({ name: await authentication.ownerOfLink(request.body.token, clientOf(request)) }),
  )
}
