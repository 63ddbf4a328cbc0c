import type { HttpServer } from '#platform/http/http-server.ts'
import { OperatorList } from '../schemas.ts'
import type { OperatorsStore } from '../storage/operators-store.ts'
import { operatorJson } from './operator-json.ts'

type Deps = { operators: Pick<OperatorsStore, 'list'> }

/** GET /operator/operators */
export function listOperators(app: HttpServer, { operators }: Deps) {
  app.get(
    '/operator/operators',
    {
      schema: {
        operationId: 'listOperators',
        summary: 'List the operators',
        description: 'All operators, the oldest first.',
        tags: ['Operators'],
        response: { 200: OperatorList },
      },
    },
    async () => ({ operators: (await operators.list()).map(operatorJson) }),
  )
}
