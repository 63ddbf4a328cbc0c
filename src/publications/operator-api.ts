import type { HttpServer } from '#platform/http/http-server.ts'
import { acceptJsonBodies } from '#platform/http/json-body.ts'
import type { OperatorGuard } from '#platform/http/operator-guard.ts'
import type { PublicationsDeps } from './deps.ts'
import { createOperatorDeps, type OperatorOptions } from './operator-deps.ts'
import { operatorCreatePublication } from './routes/operator-create-publication.ts'
import { operatorCreateUploadUrl } from './routes/operator-create-upload-url.ts'
import { operatorCreateWorkspace } from './routes/operator-create-workspace.ts'
import { operatorDeletePublication } from './routes/operator-delete-publication.ts'
import { operatorDeleteWorkspace } from './routes/operator-delete-workspace.ts'
import { operatorGetFigures } from './routes/operator-get-figures.ts'
import { operatorGetKey } from './routes/operator-get-key.ts'
import { operatorGetPublication } from './routes/operator-get-publication.ts'
import { operatorGetWorkspace } from './routes/operator-get-workspace.ts'
import { operatorListPages } from './routes/operator-list-pages.ts'
import { operatorListPublications } from './routes/operator-list-publications.ts'
import { operatorListWorkspaces } from './routes/operator-list-workspaces.ts'
import { operatorPageImage } from './routes/operator-page-image.ts'
import { operatorReplaceFile } from './routes/operator-replace-file.ts'
import { operatorRotateKey } from './routes/operator-rotate-key.ts'
import { operatorUnpublish } from './routes/operator-unpublish.ts'
import { operatorUpdatePublication } from './routes/operator-update-publication.ts'
import { operatorUpdateWorkspace } from './routes/operator-update-workspace.ts'
import { operatorWatchLibrary } from './routes/operator-watch-library.ts'

/** Largest JSON body, decoded: names, titles and paths. */
const MAX_BODY_BYTES = 65_536

const ROUTES = [
  operatorListWorkspaces,
  operatorCreateWorkspace,
  operatorGetWorkspace,
  operatorUpdateWorkspace,
  operatorDeleteWorkspace,
  operatorGetKey,
  operatorRotateKey,
  operatorListPublications,
  operatorWatchLibrary,
  operatorCreateUploadUrl,
  operatorCreatePublication,
  operatorGetPublication,
  operatorUpdatePublication,
  operatorDeletePublication,
  operatorUnpublish,
  operatorReplaceFile,
  operatorListPages,
  operatorPageImage,
  operatorGetFigures,
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
