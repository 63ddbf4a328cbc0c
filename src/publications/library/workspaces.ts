import Type, { type Static } from 'typebox'
import { formatDateTime } from '#platform/basics/time.ts'
import { insufficientRole } from '#platform/credentials/operator-access.ts'
import { announceEndedTokens } from '#platform/credentials/token.ts'
import { ruledBy } from '#platform/http/field-rules.ts'
import { type HttpServer, noContent } from '#platform/http/http-server.ts'
import { workspaceNotFound } from '../model/errors.ts'
import { MAX_WORKSPACE_NAME_LENGTH, parseWorkspaceName, workspaceNameProblem } from '../model/fields.ts'
import { count, moment, nullableCount, WORKSPACE_ID, WorkspaceParams } from '../model/schemas.ts'
import type { LibraryDeps } from './library-deps.ts'
import { type CountedWorkspace, requireCountedWorkspace, requireWorkspace } from './operator-workspaces-store.ts'

const workspaceName = Type.String({
  ...ruledBy(workspaceNameProblem),
  description: `1 to ${MAX_WORKSPACE_NAME_LENGTH} characters; surrounding white space is removed.`,
  examples: ['Communication'],
})

const limits = {
  max_bytes: nullableCount({
    description: 'Maximum of `stored_bytes`; null for no limit. Tickets and uploads beyond it are refused with 403.',
    examples: [10_000_000_000],
  }),
  max_publications: nullableCount({
    description: 'Maximum of `publications_count`; null for no limit. Further publications are refused with 403.',
    examples: [500],
  }),
}

const WorkspaceCreate = Type.Object({ name: workspaceName }, { title: 'WorkspaceCreate' })

const WorkspaceUpdate = Type.Partial(Type.Object({ name: workspaceName, ...limits }), {
  title: 'WorkspaceUpdate',
  description: 'Absent members stay as they are; null removes a limit.',
})

const workspaceFields = {
  id: Type.String({ format: 'uuid', examples: [WORKSPACE_ID] }),
  name: Type.String({ examples: ['Communication'] }),
  created_at: moment('Time of creation.'),
  publications_count: count('Number of publications, including unpublished ones.', 12),
  processing_count: count('Number of publications that are being rendered.', 1),
  stored_bytes: count('Size of its uploaded PDFs, in bytes.', 48_211_300),
  ...limits,
}

export const OperatorWorkspace = Type.Object(workspaceFields, { title: 'OperatorWorkspace' })
export type OperatorWorkspace = Static<typeof OperatorWorkspace>

export const OperatorWorkspaceList = Type.Object(
  { workspaces: Type.Array(OperatorWorkspace) },
  { title: 'OperatorWorkspaceList' },
)
export type OperatorWorkspaceList = Static<typeof OperatorWorkspaceList>

export const CreatedWorkspace = Type.Object(
  {
    ...workspaceFields,
    api_key: Type.String({ description: 'The first API key in plain text.', examples: ['pub_Zm9vYmFy'] }),
  },
  { title: 'WorkspaceCreated', description: 'The workspace with its first API key.' },
)
export type CreatedWorkspace = Static<typeof CreatedWorkspace>

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

/** Returns a workspace with counts of its contents. */
function workspaceJson(workspace: CountedWorkspace): OperatorWorkspace {
  const { id, name, created_at, publications_count, processing_count, stored_bytes } = workspace
  const { max_bytes, max_publications } = workspace
  const counts = { publications_count, processing_count, stored_bytes, max_bytes, max_publications }
  return { id, name, created_at: formatDateTime(created_at), ...counts }
}
