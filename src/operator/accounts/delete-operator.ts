import { noContent } from '#platform/http/answer-schemas.ts'
import type { HttpServer } from '#platform/http/http-server.ts'
import type { Logger } from '#platform/logger.ts'
import { lastOwner, operatorNotFound } from '../errors.ts'
import { IdParams } from '../schemas.ts'
import type { HostCookie } from '../sessions/host-cookie.ts'
import { signBrowserOut } from '../sessions/sign-browser-out.ts'
import type { OperatorsStore } from '../storage/operators-store.ts'

type Deps = { operators: Pick<OperatorsStore, 'delete'>; cookie: HostCookie; logger: Logger }

/** DELETE /operator/operators/:id */
export function deleteOperator(app: HttpServer, { operators, cookie, logger }: Deps) {
  app.delete(
    '/operator/operators/:id',
    {
      config: { operator: { role: 'owner', effect: 'erases' } },
      schema: {
        operationId: 'deleteOperator',
        summary: 'Delete an operator',
        description:
          "Ends all of the operator's sessions and links. Owners can delete themselves, except the last one.",
        tags: ['Operators'],
        params: IdParams,
        problems: [operatorNotFound, lastOwner],
        response: { 204: noContent('The operator is deleted.') },
      },
    },
    async ({ operatorId, params }, reply) => {
      await operators.delete(params.id)
      logger.info({ operatorId: params.id, by: operatorId }, 'operator deleted')
      if (params.id === operatorId) signBrowserOut(reply, cookie)
      return reply.code(204).send()
    },
  )
}
