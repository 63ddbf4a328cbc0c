import type { HttpServer } from '#platform/http/http-server.ts'
import type { Keys } from '#platform/security/secret.ts'
import { workspaceNotFound } from '../../errors.ts'
import { workspaceKeyJson } from '../../representations/operator-json.ts'
import { WorkspaceParams } from '../../schemas/addresses.ts'
import { WorkspaceKey } from '../../schemas/workspaces.ts'
import type { WorkspacesStore } from '../../storage/workspaces-store.ts'
import { requireWorkspace } from './require-workspace.ts'

type Deps = { workspaces: Pick<WorkspacesStore, 'find' | 'firstKeys'>; sealingKeys: Keys; now: () => number }

/** GET /operator/workspaces/:id/key */
export function getKey(app: HttpServer, deps: Deps) {
  const { workspaces, sealingKeys, now } = deps
  app.get(
    '/operator/workspaces/:id/key',
    {
      config: { operator: { role: 'editor', effect: 'exports' } },
      schema: {
        operationId: 'operatorGetKey',
        summary: "Show a workspace's first API key",
        tags: ['Workspaces'],
        params: WorkspaceParams,
        problems: [workspaceNotFound],
        response: { 200: WorkspaceKey },
      },
    },
    async ({ params }) => {
      const { id } = await requireWorkspace(deps, params.id)
      return workspaceKeyJson(await workspaces.firstKeys(id, now()), sealingKeys)
    },
  )
}
