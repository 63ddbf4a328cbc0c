import { insufficientRole } from '#platform/credentials/operator-access.ts'
import { announceEndedTokens } from '#platform/credentials/token.ts'
import { type HttpServer, noContent } from '#platform/http/http-server.ts'
import { workspaceNotFound } from '../model/errors.ts'
import { parseWorkspaceName } from '../model/fields.ts'
import { WorkspaceParams } from '../model/schemas.ts'
import type { LibraryDeps } from './library-deps.ts'
import { workspaceJson } from './operator-json.ts'
import { requireCountedWorkspace, requireWorkspace } from './operator-workspaces-store.ts'
import {
  CreatedWorkspace,
  OperatorWorkspace,
  OperatorWorkspaceList,
  WorkspaceCreate,
  WorkspaceUpdate,
} from './workspace-schemas.ts'

/** GET /operator/workspaces */
export function listWorkspaces(app: HttpServer, { operatorWorkspaces }: LibraryDeps) {
  app.get(
    '/operator/workspaces',
    {
      schema: {
        operationId: 'operatorListWorkspaces',
        summary: 'List workspaces',
        description: 'Returns the workspaces that the operator can reach, newest first, with counts of their contents.',
        tags: ['Workspaces'],
        response: { 200: OperatorWorkspaceList },
      },
    },
    async ({ operatorAccess }) => ({
      workspaces: (await operatorWorkspaces.list(operatorAccess.reach)).map(workspaceJson),
    }),
  )
}

/** POST /operator/workspaces */
export function createWorkspace(app: HttpServer, deps: LibraryDeps) {
  app.post(
    '/operator/workspaces',
    {
      schema: {
        operationId: 'operatorCreateWorkspace',
        summary: 'Create a workspace',
        description: 'Creates a workspace with its first API key, which the answer contains in plain text.',
        tags: ['Workspaces'],
        body: WorkspaceCreate,
        response: { 201: CreatedWorkspace },
      },
    },
    async ({ body }, reply) => {
      const { id, api_key } = await deps.workspaceKeys.create(parseWorkspaceName(body.name))
      const workspace = workspaceJson(await requireCountedWorkspace(deps.operatorWorkspaces, id))
      return reply.code(201).send({ ...workspace, api_key })
    },
  )
}

/** GET /operator/workspaces/:id */
export function getWorkspace(app: HttpServer, deps: LibraryDeps) {
  app.get(
    '/operator/workspaces/:id',
    {
      schema: {
        operationId: 'operatorGetWorkspace',
        summary: 'Get a workspace',
        tags: ['Workspaces'],
        params: WorkspaceParams,
        problems: [workspaceNotFound],
        response: { 200: OperatorWorkspace },
      },
    },
    async ({ params }) => workspaceJson(await requireCountedWorkspace(deps.operatorWorkspaces, params.id)),
  )
}

const LIMITS = ['max_bytes', 'max_publications'] as const

/** PATCH /operator/workspaces/:id */
export function updateWorkspace(app: HttpServer, deps: LibraryDeps) {
  app.patch(
    '/operator/workspaces/:id',
    {
      schema: {
        operationId: 'operatorUpdateWorkspace',
        summary: 'Change the name or the limits of a workspace',
        description: 'Operators who are limited to some workspaces cannot change the limits.',
        tags: ['Workspaces'],
        params: WorkspaceParams,
        body: WorkspaceUpdate,
        problems: [workspaceNotFound, insufficientRole],
        response: { 200: OperatorWorkspace },
      },
    },
    async ({ params, body, operatorAccess }) => {
      const { name, ...limits } = body
      // A limit would bind nobody who could change it.
      const before = await requireCountedWorkspace(deps.operatorWorkspaces, params.id)
      if (LIMITS.some((limit) => limits[limit] !== undefined && limits[limit] !== before[limit]))
        operatorAccess.require('editor', 'everything')
      await deps.operatorWorkspaces.update(params.id, {
        ...limits,
        ...(name === undefined ? {} : { name: parseWorkspaceName(name) }),
      })
      return workspaceJson(await requireCountedWorkspace(deps.operatorWorkspaces, params.id))
    },
  )
}

/** DELETE /operator/workspaces/:id */
export function deleteWorkspace(app: HttpServer, deps: LibraryDeps) {
  const { workspaces, notices, deliveredFiles, deletionWorker, now } = deps
  app.delete(
    '/operator/workspaces/:id',
    {
      schema: {
        operationId: 'operatorDeleteWorkspace',
        summary: 'Delete a workspace',
        description: `Permanently deletes a workspace with its keys, publications and files. Keys and public pages stop working at
once; files are removed in the background.`,
        tags: ['Workspaces'],
        params: WorkspaceParams,
        problems: [workspaceNotFound],
        response: { 204: noContent('The workspace is deleted.') },
      },
    },
    async ({ params }, reply) => {
      const { id } = await requireWorkspace(workspaces, params.id)
      if (!(await workspaces.end(id, now()))) throw workspaceNotFound()
      await deliveredFiles.announceChange(id)
      await announceEndedTokens(notices, id)
      deletionWorker.wake()
      return reply.code(204).send()
    },
  )
}
