import Type from 'typebox'
import { rateLimited } from '#platform/errors.ts'
import type { HttpServer } from '#platform/http/http-server.ts'
import type { OperatorDeps } from '../deps.ts'
import { wrongPassword } from '../errors.ts'
import { ChangePassword } from '../schemas.ts'
import { clientOf } from '../sessions/session-json.ts'

/** PUT /operator/password */
export function changePassword(app: HttpServer, { signingIn, logger }: OperatorDeps) {
  app.put<{ Body: ChangePassword }>(
    '/operator/password',
    {
      schema: {
        operationId: 'changePassword',
        summary: 'Change the password',
        description: 'This session stays; the others and any sign-in link of the operator end.',
        tags: ['Signing in'],
        body: ChangePassword,
        problems: [wrongPassword, rateLimited],
        response: { 204: Type.Null({ description: 'The password is changed.' }) },
      },
    },
    async (request, reply) => {
      const passwords = { current: request.body.current_password, next: request.body.password }
      await signingIn.changePassword(request.operatorSession, passwords, clientOf(request))
      logger.info({ operatorId: request.operatorId, ip: request.ip }, 'an operator changed the password')
      return reply.code(204).send()
    },
  )
}
