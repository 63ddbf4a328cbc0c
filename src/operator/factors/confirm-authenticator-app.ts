import type { HttpServer } from '#platform/http/http-server.ts'
import type { Logger } from '#platform/logger.ts'
import { appSetUpEnded, wrongAppCode } from '../errors.ts'
import { AuthenticatorAppConfirm, NewFactor } from './factor-schemas.ts'
import type { SecondFactors } from './second-factors.ts'

type Deps = { secondFactors: Pick<SecondFactors, 'confirmApp'>; logger: Logger }

/** POST /operator/authenticator-app/confirmation */
export function confirmAuthenticatorApp(app: HttpServer, { secondFactors, logger }: Deps) {
  app.post(
    '/operator/authenticator-app/confirmation',
    {
      config: { operator: { role: 'viewer', effect: 'changes', withoutSecondFactor: true } },
      schema: {
        operationId: 'addAuthenticatorApp',
        summary: 'Confirm an authenticator app',
        description: 'From now on, the password alone does not sign in.',
        tags: ['Second factors'],
        body: AuthenticatorAppConfirm,
        problems: [wrongAppCode, appSetUpEnded],
        response: { 200: NewFactor },
      },
    },
    async ({ operatorId, body, ip }) => {
      const codes = await secondFactors.confirmApp(operatorId, body.code)
      logger.info({ operatorId, ip }, 'authenticator app added')
      return { recovery_codes: codes }
    },
  )
}
