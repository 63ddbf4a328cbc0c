import { allowCrossOrigin } from '#platform/http/cross-origin.ts'
import type { HttpServer } from '#platform/http/http-server.ts'
import { acceptJsonBodies } from '#platform/http/json-body.ts'
import { RateLimit } from '#platform/http/rate-limit.ts'
import { demandApiKey, limitByAddress } from './authentication.ts'
import type { PublicationsDeps } from './deps.ts'

/** Largest JSON body, decoded; files are uploaded apart. */
const MAX_BODY_BYTES = 1_048_576

/** The publication service's API, with the pages, images and files that it leads to. */
export async function publicationsApi(server: HttpServer, deps: PublicationsDeps): Promise<void> {
  const limit = deps.rateLimit > 0 ? new RateLimit(deps.rateLimit) : undefined
  await server.register(async (app) => ownerApi(app as unknown as HttpServer, server, deps, limit))
  await server.register(async (app) => readerApi(app as unknown as HttpServer, server, deps, limit))
  await server.register(async (app) => delivery(app as unknown as HttpServer, server, deps))
}

/** What a workspace does with its publications: with its API key, counted. */
function ownerApi(app: HttpServer, server: HttpServer, deps: PublicationsDeps, limit: RateLimit | undefined): void {
  allowCrossOrigin(app, server)
  limitByAddress(app, limit)
  demandApiKey(app, deps)
  acceptJsonBodies(app, { limitBytes: MAX_BODY_BYTES, budget: deps.bodyBudget })
}

/** What anyone may ask about a publication: without a key, counted. */
function readerApi(app: HttpServer, server: HttpServer, _deps: PublicationsDeps, limit: RateLimit | undefined): void {
  allowCrossOrigin(app, server)
  limitByAddress(app, limit)
}

/** Uploads, files, images and pages: reached by addresses that are capabilities or public, and not counted. */
function delivery(_app: HttpServer, _server: HttpServer, _deps: PublicationsDeps): void {}
