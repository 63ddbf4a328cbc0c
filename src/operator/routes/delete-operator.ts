import Type from 'typebox'
import type { HttpServer } from '#platform/http/http-server.ts'
import type { OperatorDeps } from '../deps.ts'
import { lastOperator, operatorNotFound } from '../errors.ts'
import { IdParams } from '../schemas.ts'

/** DELETE /operator/operators/:id */
export function deleteOperator(app: HttpServer, { operators, cookie, logger }: OperatorDeps) {
  app.delete<{ Params: IdParams }>(
    '/operator/operators/:id',
    {
      schema: {
        operationId: 'deleteOperator',
        summary: 'Delete an operator',
        description:
          'All sessions and links of the operator end. Operators can delete themselves while others are left.',
        tags: ['Operators'],
        params: IdParams,
        problems: [operatorNotFound, lastOperator],
        response: { 204: Type.Null({ description: 'The operator is gone.' }) },
      },
    },
    async ({ operatorId, params }, reply) => {
      await operators.delete(params.id)
      logger.info({ operatorId: params.id, by: operatorId }, 'an operator was deleted')
      if (params.id === operatorId) cookie.clear(reply)
      return reply.code(204).send()
    },
  )
}
