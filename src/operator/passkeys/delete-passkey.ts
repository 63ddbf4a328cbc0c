import { noContent } from '#platform/http/answer-schemas.ts'
import type { HttpServer } from '#platform/http/http-server.ts'
import type { Logger } from '#platform/logger.ts'
import { lastLocalOwner, passkeyNotFound } from '../errors.ts'
import { IdParams } from '../schemas.ts'
import type { PasskeysStore } from '../storage/passkeys-store.ts'

type Deps = { passkeysStore: Pick<PasskeysStore, 'remove'>; logger: Logger }

/** DELETE /operator/passkeys/:id */
export function deletePasskey(app: HttpServer, { passkeysStore, logger }: Deps) {
  app.delete(
    '/operator/passkeys/:id',
    {
      config: { operator: { role: 'viewer', effect: 'erases' } },
      schema: {
        operationId: 'deletePasskey',
        summary: 'Remove a passkey',
        description: 'With the last second factor, the recovery codes end, and the password is enough again.',
        tags: ['Second factors'],
        params: IdParams,
        problems: [passkeyNotFound, lastLocalOwner],
        response: { 204: noContent('The passkey is removed.') },
      },
    },
    async ({ operatorId, params, ip }, reply) => {
      if (!(await passkeysStore.remove(operatorId, params.id))) throw passkeyNotFound()
      logger.info({ operatorId, passkeyId: params.id, ip }, 'passkey removed')
      return reply.code(204).send()
    },
  )
}
