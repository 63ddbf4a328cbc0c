import type { HttpServer } from '#platform/http/http-server.ts'
import type { OperatorDeps } from '../deps.ts'
import { operatorNameTaken } from '../errors.ts'
import { CreatedOperator, NewOperator } from '../schemas.ts'
import { operatorJson, signInLinkJson } from '../sessions/session-json.ts'

/** POST /operator/operators */
export function createOperator(app: HttpServer, { accounts, baseUrl, logger }: OperatorDeps) {
  app.post(
    '/operator/operators',
    {
      schema: {
        operationId: 'createOperator',
        summary: 'Create an operator',
        description: 'The link in the answer, which works for seven days, lets the new operator set a password.',
        tags: ['Operators'],
        body: NewOperator,
        problems: [operatorNameTaken],
        response: { 201: CreatedOperator },
      },
    },
    async (request, reply) => {
      const { operator, link } = await accounts.create(request.body.name)
      logger.info({ operatorId: operator.id, by: request.operatorId }, 'an operator was made')
      return reply.code(201).send({ ...operatorJson(operator), sign_in_link: signInLinkJson(link, baseUrl()) })
    },
  )
}
