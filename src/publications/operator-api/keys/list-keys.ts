import type { HttpServer } from '#platform/http/http-server.ts'
import type { Keys } from '#platform/security/secret.ts'
import { workspaceNotFound } from '../../errors.ts'
import { apiKeyJson } from '../../representations/operator-json.ts'
import { WorkspaceParams } from '../../schemas/addresses.ts'
import { ApiKeyList } from '../../schemas/keys.ts'
import type { ApiKeysStore } from '../../storage/api-keys-store.ts'
import { type RequireWorkspaceDeps, requireWorkspace } from '../workspaces/require-workspace.ts'

type Deps = RequireWorkspaceDeps & {
  apiKeys: Pick<ApiKeysStore, 'listValid'>
  sealingKeys: Keys
  now: () => number
}

/** GET /operator/workspaces/:id/keys */
export function listKeys(app: HttpServer, deps: Deps) {
  const { apiKeys, sealingKeys, now } = deps
  app.get(
    '/operator/workspaces/:id/keys',
    {
      config: { operator: { role: 'editor', effect: 'reads' } },
      schema: {
        operationId: 'operatorListKeys',
        summary: "List a workspace's API keys",
        description: 'Returns the valid keys, newest first. Each is masked except for its beginning and end.',
        tags: ['Workspaces'],
        params: WorkspaceParams,
        problems: [workspaceNotFound],
        response: { 200: ApiKeyList },
      },
    },
    async ({ params }) => {
      const { id } = await requireWorkspace(deps, params.id)
      return { keys: (await apiKeys.listValid(id, now())).map((row) => apiKeyJson(row, sealingKeys)) }
    },
  )
}
