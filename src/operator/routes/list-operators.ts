import type { HttpServer } from '#platform/http/http-server.ts'
import type { OperatorDeps } from '../deps.ts'
import { OperatorList } from '../schemas.ts'
import { operatorJson } from '../sessions/session-json.ts'

/** GET /operator/operators */
export function listOperators(app: HttpServer, { operators }: OperatorDeps) {
  app.get(
    '/operator/operators',
    {
      schema: {
        operationId: 'listOperators',
        summary: 'List the operators',
        description: 'Everyone who may sign in.',
        tags: ['Operators'],
        response: { 200: OperatorList },
      },
    },
    async () => ({ operators: (await operators.list()).map(operatorJson) }),
  )
}
