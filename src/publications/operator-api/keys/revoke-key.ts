import type { Notices } from '#platform/database/notices.ts'
import { noContent } from '#platform/http/answer-schemas.ts'
import type { HttpServer } from '#platform/http/http-server.ts'
import { announceEndedTokens } from '#platform/tokens/token-lookup.ts'
import { apiKeyNotFound } from '../../errors.ts'
import { KeyParams } from '../../schemas/keys.ts'
import type { ApiKeysStore } from '../../storage/api-keys-store.ts'
import { findKey, type KeyDeps } from './find-key.ts'

type Deps = KeyDeps & { apiKeys: Pick<ApiKeysStore, 'end'>; notices: Notices | undefined }

/** DELETE /operator/workspaces/:id/keys/:keyId */
export function revokeKey(app: HttpServer, deps: Deps) {
  app.delete(
    '/operator/workspaces/:id/keys/:keyId',
    {
      config: { operator: { role: 'editor', effect: 'erases' } },
      schema: {
        operationId: 'operatorRevokeKey',
        summary: 'Revoke an API key',
        description: 'The key is refused from the next request on.',
        tags: ['Workspaces'],
        params: KeyParams,
        problems: [apiKeyNotFound],
        response: { 204: noContent('The key was revoked.') },
      },
    },
    async ({ params }, reply) => {
      const row = await findKey(deps, params.id, params.keyId)
      if (!(await deps.apiKeys.end(params.id, row.key_sha256))) throw apiKeyNotFound()
      await announceEndedTokens(deps.notices, params.id)
      return reply.code(204).send()
    },
  )
}
