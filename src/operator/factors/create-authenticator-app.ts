import type { HttpServer } from '#platform/http/http-server.ts'
import { appIsConfirmed, signsInAtProvider } from '../errors.ts'
import type { LocalCredentials } from '../storage/provider-accounts.ts'
import { AuthenticatorAppSetUp } from './factor-schemas.ts'
import type { SecondFactors } from './second-factors.ts'

type Deps = {
  secondFactors: Pick<SecondFactors, 'startApp'>
  localCredentials: LocalCredentials
  baseUrl: () => string
}

/** POST /operator/authenticator-app */
export function createAuthenticatorApp(app: HttpServer, { secondFactors, localCredentials, baseUrl }: Deps) {
  app.post(
    '/operator/authenticator-app',
    {
      config: { operator: { role: 'viewer', effect: 'admits', withoutSecondFactor: true } },
      schema: {
        operationId: 'createAuthenticatorApp',
        summary: 'Begin to set up an authenticator app',
        description:
          'The app counts once a code of it is confirmed, within an hour. Beginning again ends what was begun before.',
        tags: ['Second factors'],
        problems: [appIsConfirmed, signsInAtProvider],
        response: { 201: AuthenticatorAppSetUp },
      },
    },
    async ({ operatorId, operatorSession }, reply) => {
      if (await localCredentials.areRefusedTo(operatorId)) throw signsInAtProvider()
      const account = `${operatorSession.operator_name}@${new URL(baseUrl()).host}`
      return reply.code(201).send(await secondFactors.startApp(operatorId, account))
    },
  )
}
