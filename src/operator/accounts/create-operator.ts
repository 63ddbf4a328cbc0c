import type { HttpServer } from '#platform/http/http-server.ts'
import type { Logger } from '#platform/logger.ts'
import { operatorNameTaken } from '../errors.ts'
import { OperatorCreate, OperatorCreated } from '../schemas.ts'
import type { OperatorAccounts } from './operator-accounts.ts'
import { operatorJson, signInLinkJson } from './operator-json.ts'
import type { RequestedRights } from './requested-rights.ts'

type Deps = {
  accounts: Pick<OperatorAccounts, 'create'>
  requestedRights: RequestedRights
  baseUrl: () => string
  logger: Logger
}

/** POST /operator/operators */
export function createOperator(app: HttpServer, { accounts, requestedRights, baseUrl, logger }: Deps) {
  app.post(
    '/operator/operators',
    {
      config: { operator: { role: 'owner', effect: 'admits' } },
      schema: {
        operationId: 'createOperator',
        summary: 'Create an operator',
        description: 'With the link in the response, the new operator sets a password. It works for seven days.',
        tags: ['Operators'],
        body: OperatorCreate,
        problems: [operatorNameTaken],
        response: { 201: OperatorCreated },
      },
    },
    async (request, reply) => {
      const { name, role } = request.body
      const rights = (await requestedRights(request.body))({ role, limitedTo: null })
      const { operator, link } = await accounts.create(name, rights)
      logger.info({ operatorId: operator.id, role, by: request.operatorId }, 'operator created')
      return reply.code(201).send({ ...operatorJson(operator, false), sign_in_link: signInLinkJson(link, baseUrl()) })
    },
  )
}
