import type { HttpServer } from '#platform/http/http-server.ts'
import { workspaceNotFound } from '../../errors.ts'
import { workspaceKeyJson } from '../../representations/operator-json.ts'
import { WorkspaceParams } from '../../schemas/addresses.ts'
import { KeyRotation, WorkspaceKey } from '../../schemas/workspaces.ts'
import type { OperatorDeps } from '../operator-deps.ts'
import { requireWorkspace } from './require-workspace.ts'

/** POST /operator/workspaces/:id/key/rotate */
export function rotateKey(app: HttpServer, deps: OperatorDeps) {
  const { workspaces, workspaceKeys, sealingKey, now } = deps
  app.post<{ Params: WorkspaceParams; Body: KeyRotation }>(
    '/operator/workspaces/:id/key/rotate',
    {
      schema: {
        operationId: 'operatorRotateKey',
        summary: "Replace a workspace's API key",
        description: 'Makes a new key; all others end after `keep_sec` seconds, at once by default.',
        tags: ['Workspaces'],
        params: WorkspaceParams,
        body: KeyRotation,
        problems: [workspaceNotFound],
        response: { 201: WorkspaceKey },
      },
    },
    async ({ params, body }, reply) => {
      const { id } = await requireWorkspace(deps, params.id)
      await workspaceKeys.rotate(id, (body.keep_sec ?? 0) * 1000)
      return reply.code(201).send(workspaceKeyJson(await workspaces.keys(id, now()), sealingKey))
    },
  )
}
