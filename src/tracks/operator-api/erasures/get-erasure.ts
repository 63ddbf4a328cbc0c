import type { HttpServer } from '#platform/http/http-server.ts'
import { erasureNotFound } from '../../errors.ts'
import { erasureReceiptJson } from '../../representations/erasure-json.ts'
import { ErasureParams, ErasureReceipt } from '../../schemas/erasures.ts'
import type { ErasuresStore } from '../../storage/erasure/erasures-store.ts'

/** GET /operator/erasures/:id */
export function getErasure(app: HttpServer, { erasuresStore }: { erasuresStore: Pick<ErasuresStore, 'find'> }) {
  app.get(
    '/operator/erasures/:id',
    {
      config: { operator: { role: 'owner', effect: 'reads' } },
      schema: {
        operationId: 'operatorGetErasure',
        summary: 'Get the receipt of an erasure',
        tags: ['Operator'],
        params: ErasureParams,
        problems: [erasureNotFound],
        response: { 200: ErasureReceipt },
      },
    },
    async ({ params }) => {
      const row = await erasuresStore.find(params.id)
      if (row === undefined) throw erasureNotFound()
      return erasureReceiptJson(row)
    },
  )
}
