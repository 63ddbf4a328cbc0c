import type { OperatorGuard } from '#platform/credentials/operator-rule.ts'
import type { HttpServer } from '#platform/http/http-server.ts'
import { acceptJsonBodies } from '#platform/http/request-body.ts'
import { protectedResources, publicationsAccess } from './access.ts'
import { getPublication } from './delivery/get-publication.ts'
import { exportOffline } from './exports/routes.ts'
import { getFigures, getLibraryFigures } from './figures/routes.ts'
import { keyRoutes } from './library/api-keys.ts'
import { binRoutes } from './library/bin-routes.ts'
import { collectionRoutes } from './library/collection-routes.ts'
import { creationRoutes } from './library/create-publication.ts'
import { watchLibrary } from './library/library-watch.ts'
import { getPageImage, listPages } from './library/pages.ts'
import { operatorDoor } from './library/publication-doors.ts'
import { changeRoutes, listPublications } from './library/publication-routes.ts'
import { readerLinkRoutes } from './library/reader-link-routes.ts'
import { versionRoutes } from './library/version-routes.ts'
import { operatorWebhooksApi } from './library/webhooks.ts'
import {
  createWorkspace,
  deleteWorkspace,
  getWorkspace,
  listWorkspaces,
  updateWorkspace,
} from './library/workspaces.ts'
import type { PublicationsDeps } from './service.ts'
import { faceRoutes, logoRoute } from './shelf/face-routes.ts'

/** Largest JSON body, decoded: names, titles and paths. */
const MAX_BODY_BYTES = 65_536

const WORKSPACE_ROUTES = [listWorkspaces, createWorkspace, getWorkspace, updateWorkspace, deleteWorkspace, keyRoutes]

/** Registers the endpoints for signed-in operators: workspaces, their keys and publications, and reading figures. */
export async function publicationsOperatorApi(
  server: HttpServer,
  deps: PublicationsDeps,
  guard: OperatorGuard,
): Promise<void> {
  await server.register(async (app: HttpServer) => {
    guard(app, publicationsAccess, protectedResources(deps))
    acceptJsonBodies(app, { limitBytes: MAX_BODY_BYTES, budget: deps.bodyBudget })
    for (const route of WORKSPACE_ROUTES) route(app, deps)
    libraryRoutes(app, deps)
    operatorWebhooksApi(app, deps)
    faceRoutes(app, deps)
  })
  await server.register(async (app: HttpServer) => {
    guard(app, publicationsAccess, protectedResources(deps))
    logoRoute(app, deps)
  })
}

/** Registers the endpoints of publications. */
function libraryRoutes(app: HttpServer, deps: PublicationsDeps): void {
  const door = operatorDoor(deps)
  listPublications(app, door)
  watchLibrary(app, deps)
  creationRoutes(app, door, deps)
  getPublication(app, door)
  changeRoutes(app, door, deps)
  binRoutes(app, deps)
  readerLinkRoutes(app, door, deps)
  versionRoutes(app, door, deps)
  collectionRoutes(app, door, deps)
  exportOffline(app, door, deps)
  listPages(app, deps)
  getPageImage(app, deps)
  getFigures(app, deps)
  getLibraryFigures(app, deps)
}
