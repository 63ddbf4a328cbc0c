import { acceptJsonBodies } from '#platform/http/bodies/json-body.ts'
import type { HttpServer } from '#platform/http/http-server.ts'
import type { OperatorGuard } from '#platform/http/server/operator-guard.ts'
import { guardedThings } from './operator-api/guarded-things.ts'
import { createKey } from './operator-api/keys/create-key.ts'
import { getApiKey } from './operator-api/keys/get-api-key.ts'
import { listKeys } from './operator-api/keys/list-keys.ts'
import { revokeKey } from './operator-api/keys/revoke-key.ts'
import { listPublications } from './operator-api/library/list-publications.ts'
import { watchLibrary } from './operator-api/library/watch-library.ts'
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
import type { PublicationsService } from './service.ts'
import { operatorWebhooksApi } from './webhooks/webhooks-api.ts'

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
  listKeys,
  createKey,
  getApiKey,
  revokeKey,
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

/** Registers the endpoints for signed-in operators: workspaces, their keys and publications, and reading figures. */
export async function publicationsOperatorApi(
  server: HttpServer,
  deps: PublicationsService['deps'],
  guard: OperatorGuard,
): Promise<void> {
  await server.register(async (app: HttpServer) => {
    guard(app, guardedThings(deps))
    acceptJsonBodies(app, { limitBytes: MAX_BODY_BYTES, budget: deps.bodyBudget })
    for (const route of ROUTES) route(app, deps)
    operatorWebhooksApi(app, deps)
  })
}
