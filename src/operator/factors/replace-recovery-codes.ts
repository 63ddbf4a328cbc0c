import type { HttpServer } from '#platform/http/http-server.ts'
import type { Logger } from '#platform/logger.ts'
import { noSecondFactor } from '../errors.ts'
import { RecoveryCodes } from './factor-schemas.ts'
import type { SecondFactors } from './second-factors.ts'

type Deps = { secondFactors: Pick<SecondFactors, 'replaceRecoveryCodes'>; logger: Logger }

/** POST /operator/recovery-codes */
export function replaceRecoveryCodes(app: HttpServer, { secondFactors, logger }: Deps) {
  app.post(
    '/operator/recovery-codes',
    {
      config: { operator: { role: 'viewer', effect: 'admits' } },
      schema: {
        operationId: 'replaceRecoveryCodes',
        summary: 'Replace the recovery codes',
        description: 'Makes ten new codes and ends the earlier ones.',
        tags: ['Second factors'],
        problems: [noSecondFactor],
        response: { 201: RecoveryCodes },
      },
    },
    async ({ operatorId, ip }, reply) => {
      const codes = await secondFactors.replaceRecoveryCodes(operatorId)
      logger.info({ operatorId, ip }, 'recovery codes replaced')
      return reply.code(201).send({ recovery_codes: codes })
    },
  )
}
