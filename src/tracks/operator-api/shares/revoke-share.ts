import { noContent } from '#platform/http/answer-schemas.ts'
import type { HttpServer } from '#platform/http/http-server.ts'
import { shareNotFound } from '../../errors.ts'
import type { EventWatches } from '../../live/event-watches.ts'
import { ShareParams } from '../../schemas/addresses.ts'
import type { SharesStore } from '../../storage/shares-store.ts'

type Deps = {
  shares: Pick<SharesStore, 'revoke'>
  watches: Pick<EventWatches, 'check'>
  now: () => number
}

/** DELETE /operator/shares/:id */
export function revokeShare(app: HttpServer, { shares, watches, now }: Deps) {
  app.delete(
    '/operator/shares/:id',
    {
      config: { operator: { role: 'editor', effect: 'changes' } },
      schema: {
        operationId: 'operatorRevokeShare',
        summary: 'Revoke a share',
        description:
          'The share answers 410 from now on. Open streams end at once, on other instances within a few seconds.',
        tags: ['Operator'],
        params: ShareParams,
        problems: [shareNotFound],
        response: { 204: noContent('The share was revoked.') },
      },
    },
    async ({ params }, reply) => {
      const eventId = await shares.revoke(params.id, now())
      if (eventId === undefined) throw shareNotFound()
      watches.check(eventId)
      return reply.code(204).send()
    },
  )
}
