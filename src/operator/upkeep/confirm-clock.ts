import { noContent } from '#platform/http/answer-schemas.ts'
import type { HttpServer } from '#platform/http/http-server.ts'
import type { Logger } from '#platform/logger.ts'
import type { ServiceUpkeep } from '#platform/upkeep/upkeep-clock.ts'

type Deps = { upkeeps: readonly ServiceUpkeep[]; logger: Logger }

/** POST /operator/upkeep/confirm */
export function confirmClock(app: HttpServer, { upkeeps, logger }: Deps) {
  app.post(
    '/operator/upkeep/confirm',
    {
      config: { operator: { role: 'owner', effect: 'erases' } },
      schema: {
        operationId: 'confirmClock',
        summary: 'Confirm the clock',
        description: 'Says that the clock of the server is right. What is too old is then deleted.',
        tags: ['Operators'],
        response: { 204: noContent('The deletions begin.') },
      },
    },
    async ({ operatorId }, reply) => {
      for (const { clock } of upkeeps) await clock.confirm()
      logger.warn({ by: operatorId }, 'the clock was confirmed; what is too old is deleted')
      for (const { run } of upkeeps) run()
      return reply.code(204).send()
    },
  )
}
