import type { HttpServer } from '#platform/http/http-server.ts'
import { appIsConfirmed } from '../errors.ts'
import { AuthenticatorAppSetUp } from './factor-schemas.ts'
import type { SecondFactors } from './second-factors.ts'

type Deps = { secondFactors: Pick<SecondFactors, 'startApp'>; baseUrl: () => string }

/** POST /operator/authenticator-app */
export function createAuthenticatorApp(app: HttpServer, { secondFactors, baseUrl }: Deps) {
  app.post(
    '/operator/authenticator-app',
    {
      config: { operator: { role: 'viewer', recentlyConfirmed: true, withoutSecondFactor: true } },
      schema: {
        operationId: 'createAuthenticatorApp',
        summary: 'Begin to set up an authenticator app',
        description:
          'The app counts once a code of it is confirmed, within an hour. Beginning again ends what was begun before.',
        tags: ['Second factors'],
        problems: [appIsConfirmed],
        response: { 201: AuthenticatorAppSetUp },
      },
    },
    async ({ operatorId, operatorSession }, reply) => {
      const account = `${operatorSession.operator_name}@${new URL(baseUrl()).host}`
      return reply.code(201).send(await secondFactors.startApp(operatorId, account))
    },
  )
}
