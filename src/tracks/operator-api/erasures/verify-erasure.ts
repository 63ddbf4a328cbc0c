import type { HttpServer } from '#platform/http/http-server.ts'
import type { Erasures } from '../../erasure/erasures.ts'
import { erasureNotFound } from '../../errors.ts'
import { ErasureMatch, ErasureParams, ErasureVerification } from '../../schemas/erasures.ts'
import type { ErasuresStore } from '../../storage/erasure/erasures-store.ts'

type Deps = { erasuresStore: Pick<ErasuresStore, 'find'>; erasures: Pick<Erasures, 'isReceiptOf'> }

/** POST /operator/erasures/:id/verify */
export function verifyErasure(app: HttpServer, { erasuresStore, erasures }: Deps) {
  app.post(
    '/operator/erasures/:id/verify',
    {
      config: { operator: { role: 'owner', effect: 'reads' } },
      schema: {
        operationId: 'operatorCheckErasureReceipt',
        summary: 'Check whose receipt this is',
        description: 'Tells whether a receipt is that of a person, whose `user_id` it does not contain.',
        tags: ['Operator'],
        params: ErasureParams,
        body: ErasureVerification,
        problems: [erasureNotFound],
        response: { 200: ErasureMatch },
      },
    },
    async ({ params, body }) => {
      const row = await erasuresStore.find(params.id)
      if (row === undefined) throw erasureNotFound()
      return { matches: erasures.isReceiptOf(row, body.user_id) ?? null }
    },
  )
}
