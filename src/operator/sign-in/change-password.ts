import { rateLimited } from '#platform/errors.ts'
import { noContent } from '#platform/http/answer-schemas.ts'
import type { HttpServer } from '#platform/http/http-server.ts'
import type { Logger } from '#platform/logger.ts'
import { wrongPassword } from '../errors.ts'
import { PasswordUpdate } from '../schemas.ts'
import type { Authentication } from './authenticate.ts'

type Deps = { authentication: Pick<Authentication, 'changePassword'>; logger: Logger }

/** PUT /operator/password */
export function changePassword(app: HttpServer, { authentication, logger }: Deps) {
  app.put(
    '/operator/password',
    {
      config: { operator: { role: 'viewer', effect: 'changes' } },
      schema: {
        operationId: 'changePassword',
        summary: 'Change the password',
        description: "The current session stays. The operator's other sessions and sign-in links end.",
        tags: ['Signing in'],
        body: PasswordUpdate,
        problems: [wrongPassword, rateLimited],
        response: { 204: noContent('The password is changed.') },
      },
    },
    async (request, reply) => {
      const passwords = { current: request.body.current_password, next: request.body.password }
      await authentication.changePassword(request.operatorSession, passwords)
      logger.info({ operatorId: request.operatorId, ip: request.ip }, 'password changed')
      return reply.code(204).send()
    },
  )
}
