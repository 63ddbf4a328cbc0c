import type { HttpServer } from '#platform/http/http-server.ts'
import type { Keys } from '#platform/security/secret.ts'
import { workspaceNotFound } from '../../errors.ts'
import { workspaceKeyJson } from '../../representations/operator-json.ts'
import { WorkspaceParams } from '../../schemas/addresses.ts'
import { WorkspaceKey, WorkspaceKeyRotate } from '../../schemas/workspaces.ts'
import type { WorkspacesStore } from '../../storage/workspaces-store.ts'
import type { WorkspaceKeys } from '../../workspaces/workspace-keys.ts'
import { requireWorkspace } from './require-workspace.ts'

type Deps = {
  workspaces: Pick<WorkspacesStore, 'find' | 'firstKeys'>
  workspaceKeys: Pick<WorkspaceKeys, 'rotate'>
  sealingKeys: Keys
  now: () => number
}

/** POST /operator/workspaces/:id/key/rotate */
export function rotateKey(app: HttpServer, deps: Deps) {
  const { workspaces, workspaceKeys, sealingKeys, now } = deps
  app.post(
    '/operator/workspaces/:id/key/rotate',
    {
      config: { operator: { role: 'editor', effect: 'admits' } },
      schema: {
        operationId: 'operatorRotateKey',
        summary: "Replace a workspace's first API key",
        description: 'Creates a new first key; the other first keys end after `keep_sec` seconds, at once by default.',
        tags: ['Workspaces'],
        params: WorkspaceParams,
        body: WorkspaceKeyRotate,
        problems: [workspaceNotFound],
        response: { 201: WorkspaceKey },
      },
    },
    async ({ params, body }, reply) => {
      const { id } = await requireWorkspace(deps, params.id)
      await workspaceKeys.rotate(id, (body.keep_sec ?? 0) * 1000)
      return reply.code(201).send(workspaceKeyJson(await workspaces.firstKeys(id, now()), sealingKeys))
    },
  )
}
