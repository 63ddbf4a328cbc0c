import { acceptJsonBodies } from '#platform/http/bodies/json-body.ts'
import type { HttpServer } from '#platform/http/http-server.ts'
import type { OperatorGuard } from '#platform/http/server/operator-guard.ts'
import type { PublicationsDeps } from './deps.ts'
import { listPublications } from './operator-api/library/list-publications.ts'
import { watchLibrary } from './operator-api/library/watch-library.ts'
import { createOperatorDeps, type OperatorOptions } from './operator-api/operator-deps.ts'
import { createPublication } from './operator-api/publications/create-publication.ts'
import { createUploadUrl } from './operator-api/publications/create-upload-url.ts'
import { deletePublication } from './operator-api/publications/delete-publication.ts'
import { getFigures } from './operator-api/publications/get-figures.ts'
import { getPageImage } from './operator-api/publications/get-page-image.ts'
import { getPublication } from './operator-api/publications/get-publication.ts'
import { listPages } from './operator-api/publications/list-pages.ts'
import { replaceFile } from './operator-api/publications/replace-file.ts'
import { unpublish } from './operator-api/publications/unpublish.ts'
import { updatePublication } from './operator-api/publications/update-publication.ts'
import { createWorkspace } from './operator-api/workspaces/create-workspace.ts'
import { deleteWorkspace } from './operator-api/workspaces/delete-workspace.ts'
import { getKey } from './operator-api/workspaces/get-key.ts'
import { getWorkspace } from './operator-api/workspaces/get-workspace.ts'
import { listWorkspaces } from './operator-api/workspaces/list-workspaces.ts'
import { rotateKey } from './operator-api/workspaces/rotate-key.ts'
import { updateWorkspace } from './operator-api/workspaces/update-workspace.ts'

/** Largest JSON body, decoded: names, titles and paths. */
const MAX_BODY_BYTES = 65_536

const ROUTES = [
  listWorkspaces,
  createWorkspace,
  getWorkspace,
  updateWorkspace,
  deleteWorkspace,
  getKey,
  rotateKey,
  listPublications,
  watchLibrary,
  createUploadUrl,
  createPublication,
  getPublication,
  updatePublication,
  deletePublication,
  unpublish,
  replaceFile,
  listPages,
  getPageImage,
  getFigures,
]

/** Workspaces, their keys and publications, and how those are read, for signed-in operators. */
export async function publicationsOperatorApi(
  server: HttpServer,
  deps: PublicationsDeps & OperatorOptions,
  guard: OperatorGuard,
): Promise<void> {
  const operatorDeps = createOperatorDeps(deps, deps)
  await server.register(async (plugin) => {
    const app = plugin as unknown as HttpServer
    guard(app)
    acceptJsonBodies(app, { limitBytes: MAX_BODY_BYTES, budget: deps.bodyBudget })
    for (const route of ROUTES) route(app, operatorDeps)
  })
}
