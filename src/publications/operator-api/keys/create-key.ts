import type { HttpServer } from '#platform/http/http-server.ts'
import type { Keys } from '#platform/security/secret.ts'
import { DEFAULT_PERMISSIONS } from '../../domain/permission.ts'
import { workspaceNotFound } from '../../errors.ts'
import { shownKeyJson } from '../../representations/operator-json.ts'
import { WorkspaceParams } from '../../schemas/addresses.ts'
import { ApiKeyCreate, ShownApiKey } from '../../schemas/keys.ts'
import type { WorkspaceKeys } from '../../workspaces/workspace-keys.ts'
import { type RequireWorkspaceDeps, requireWorkspace } from '../workspaces/require-workspace.ts'

type Deps = RequireWorkspaceDeps & {
  workspaceKeys: Pick<WorkspaceKeys, 'add'>
  sealingKeys: Keys
  now: () => number
}

/** POST /operator/workspaces/:id/keys */
export function createKey(app: HttpServer, deps: Deps) {
  const { workspaceKeys, sealingKeys, now } = deps
  app.post(
    '/operator/workspaces/:id/keys',
    {
      config: { operator: { role: 'editor', effect: 'admits' } },
      schema: {
        operationId: 'operatorCreateKey',
        summary: 'Create an API key',
        description: 'Adds a key to the workspace. Its other keys stay valid.',
        tags: ['Workspaces'],
        params: WorkspaceParams,
        body: ApiKeyCreate,
        problems: [workspaceNotFound],
        response: { 201: ShownApiKey },
      },
    },
    async ({ params, body }, reply) => {
      const workspace = await requireWorkspace(deps, params.id)
      const { row } = await workspaceKeys.add(workspace.id, {
        permissions: body.permissions ?? DEFAULT_PERMISSIONS,
        label: body.label ?? null,
        expiresAtMs: body.keep_sec == null ? null : now() + body.keep_sec * 1000,
      })
      return reply.code(201).send(shownKeyJson(row, sealingKeys))
    },
  )
}
