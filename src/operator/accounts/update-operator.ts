import type { HttpServer } from '#platform/http/http-server.ts'
import type { Logger } from '#platform/logger.ts'
import { lastOwner, operatorNotFound } from '../errors.ts'
import { IdParams, Operator, OperatorUpdate } from '../schemas.ts'
import { type FactorsStore, hasFactor } from '../storage/factors-store.ts'
import type { OperatorsStore } from '../storage/operators-store.ts'
import { operatorJson } from './operator-json.ts'
import type { RequestedRights } from './requested-rights.ts'

type Deps = {
  operators: Pick<OperatorsStore, 'changeRights'>
  factors: Pick<FactorsStore, 'summary'>
  requestedRights: RequestedRights
  logger: Logger
}

/** PATCH /operator/operators/:id */
export function updateOperator(app: HttpServer, { operators, factors, requestedRights, logger }: Deps) {
  app.patch(
    '/operator/operators/:id',
    {
      config: { operator: { role: 'owner', effect: 'admits' } },
      schema: {
        operationId: 'updateOperator',
        summary: "Change an operator's role",
        description:
          'Changes the role, and the events and workspaces it is for. It takes effect with the next request of the operator; live streams that are no longer allowed end within seconds.',
        tags: ['Operators'],
        params: IdParams,
        body: OperatorUpdate,
        problems: [operatorNotFound, lastOwner],
        response: { 200: Operator },
      },
    },
    async ({ operatorId, params, body }) => {
      const changed = await operators.changeRights(params.id, await requestedRights(body))
      const { role, limitedTo } = changed.rights
      logger.info({ operatorId: params.id, role, isLimited: limitedTo !== null, by: operatorId }, 'role changed')
      return operatorJson(changed, hasFactor(await factors.summary(changed.id)))
    },
  )
}
