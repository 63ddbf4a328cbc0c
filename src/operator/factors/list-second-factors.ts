import type { HttpServer } from '#platform/http/http-server.ts'
import { formatDateTime } from '#platform/time/date-time.ts'
import { type FactorsStore, hasFactor } from '../storage/factors-store.ts'
import { SecondFactorList } from './factor-schemas.ts'

type Deps = { factors: Pick<FactorsStore, 'summary'> }

/** GET /operator/second-factors */
export function listSecondFactors(app: HttpServer, { factors }: Deps) {
  app.get(
    '/operator/second-factors',
    {
      config: { operator: { role: 'viewer', effect: 'reads', withoutSecondFactor: true } },
      schema: {
        operationId: 'listSecondFactors',
        summary: 'List the second factors',
        description: "The current operator's second factors, without their secrets.",
        tags: ['Second factors'],
        response: { 200: SecondFactorList },
      },
    },
    async ({ operatorId }) => {
      const summary = await factors.summary(operatorId)
      return {
        authenticator_app: summary.appSinceMs === undefined ? null : formatDateTime(summary.appSinceMs),
        has_factor: hasFactor(summary),
        recovery_codes_left: summary.recoveryCodesLeft,
      }
    },
  )
}
