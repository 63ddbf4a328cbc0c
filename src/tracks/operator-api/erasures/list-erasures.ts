import { createCursorCodec, isCursorText, pageOf } from '#platform/cursor/list-cursor.ts'
import type { HttpServer } from '#platform/http/http-server.ts'
import { erasureReceiptJson } from '../../representations/erasure-json.ts'
import { ErasureReceiptList, ErasureReceiptsQuery } from '../../schemas/erasures.ts'
import type { ErasureCursor, ErasuresStore } from '../../storage/erasure/erasures-store.ts'

const DEFAULT_PER_PAGE = 50

const cursors = createCursorCodec<ErasureCursor>(
  'erasures',
  ({ startedMs, id }) => Number.isSafeInteger(startedMs) && isCursorText(id),
)

/** GET /operator/erasures */
export function listErasures(app: HttpServer, { erasuresStore }: { erasuresStore: Pick<ErasuresStore, 'list'> }) {
  app.get(
    '/operator/erasures',
    {
      config: { operator: { role: 'owner', effect: 'reads' } },
      schema: {
        operationId: 'operatorListErasures',
        summary: 'List receipts of erasures',
        description: 'Returns the receipts of erasures, newest first, also those that a retention carried out.',
        tags: ['Operator'],
        querystring: ErasureReceiptsQuery,
        response: { 200: ErasureReceiptList },
      },
    },
    async ({ query: { limit = DEFAULT_PER_PAGE, cursor } }) => {
      const after = cursor === undefined ? undefined : cursors.decode(cursor)
      const found = await erasuresStore.list(after, limit + 1)
      const positionOf = ({ started_at, id }: (typeof found)[number]) => ({ startedMs: started_at, id })
      const { rows, nextCursor } = pageOf(found, limit, cursors, positionOf)
      return { erasures: rows.map(erasureReceiptJson), next_cursor: nextCursor }
    },
  )
}
