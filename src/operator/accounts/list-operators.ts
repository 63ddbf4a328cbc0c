import type { HttpServer } from '#platform/http/http-server.ts'
import { OperatorList } from '../schemas.ts'
import type { FactorsStore } from '../storage/factors-store.ts'
import type { OperatorsStore } from '../storage/operators-store.ts'
import { operatorJson } from './operator-json.ts'

type Deps = { operators: Pick<OperatorsStore, 'list'>; factors: Pick<FactorsStore, 'operatorsWithFactor'> }

/** GET /operator/operators */
export function listOperators(app: HttpServer, { operators, factors }: Deps) {
  app.get(
    '/operator/operators',
    {
      config: { operator: { role: 'owner', effect: 'reads' } },
      schema: {
        operationId: 'listOperators',
        summary: 'List the operators',
        description: 'All operators, the oldest first.',
        tags: ['Operators'],
        response: { 200: OperatorList },
      },
    },
    async () => {
      const withFactor = await factors.operatorsWithFactor()
      return {
        operators: (await operators.list()).map((operator) => operatorJson(operator, withFactor.has(operator.id))),
      }
    },
  )
}
