import type { HttpServer } from '#platform/http/http-server.ts'
import type { Keys } from '#platform/security/secret.ts'
import { apiKeyNotFound } from '../../errors.ts'
import { shownKeyJson } from '../../representations/operator-json.ts'
import { KeyParams, ShownApiKey } from '../../schemas/keys.ts'
import { findKey, type KeyDeps } from './find-key.ts'

type Deps = KeyDeps & { sealingKeys: Keys }

/** GET /operator/workspaces/:id/keys/:keyId */
export function getApiKey(app: HttpServer, deps: Deps) {
  app.get(
    '/operator/workspaces/:id/keys/:keyId',
    {
      config: { operator: { role: 'editor', effect: 'exports' } },
      schema: {
        operationId: 'operatorGetApiKey',
        summary: 'Show an API key',
        description: 'Returns the key in plain text.',
        tags: ['Workspaces'],
        params: KeyParams,
        problems: [apiKeyNotFound],
        response: { 200: ShownApiKey },
      },
    },
    async ({ params }) => shownKeyJson(await findKey(deps, params.id, params.keyId), deps.sealingKeys),
  )
}
