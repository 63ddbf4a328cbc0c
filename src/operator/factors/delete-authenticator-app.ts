import { noContent } from '#platform/http/answer-schemas.ts'
import type { HttpServer } from '#platform/http/http-server.ts'
import type { Logger } from '#platform/logger.ts'
import { appNotFound } from '../errors.ts'
import type { FactorsStore } from '../storage/factors-store.ts'

type Deps = { factors: Pick<FactorsStore, 'removeTotp'>; logger: Logger }

/** DELETE /operator/authenticator-app */
export function deleteAuthenticatorApp(app: HttpServer, { factors, logger }: Deps) {
  app.delete(
    '/operator/authenticator-app',
    {
      config: { operator: { role: 'viewer', effect: 'erases' } },
      schema: {
        operationId: 'deleteAuthenticatorApp',
        summary: 'Remove the authenticator app',
        description: 'With the last second factor, the recovery codes end, and the password is enough again.',
        tags: ['Second factors'],
        problems: [appNotFound],
        response: { 204: noContent('The app is removed.') },
      },
    },
    async ({ operatorId, ip }, reply) => {
      if (!(await factors.removeTotp(operatorId))) throw appNotFound()
      logger.info({ operatorId, ip }, 'authenticator app removed')
      return reply.code(204).send()
    },
  )
}
