import { allowCrossOrigin } from '#platform/http/cross-origin.ts'
import type { HttpServer } from '#platform/http/http-server.ts'
import { acceptJsonBodies } from '#platform/http/json-body.ts'
import { RateLimit } from '#platform/http/rate-limit.ts'
import { demandApiKey, limitByAddress } from './authentication.ts'
import type { PublicationsDeps } from './deps.ts'
import { createUploadUrl } from './routes/create-upload-url.ts'
import { downloadPdf } from './routes/download-pdf.ts'
import { getImages } from './routes/get-images.ts'
import { getPdfUrl } from './routes/get-pdf-url.ts'
import { sendFile } from './routes/send-file.ts'
import { uploadFile } from './routes/upload-file.ts'

/** Largest JSON body, decoded; files are uploaded apart. */
const MAX_BODY_BYTES = 1_048_576

/** The publication service's API, with the pages, images and files that it leads to. */
export async function publicationsApi(server: HttpServer, deps: PublicationsDeps): Promise<void> {
  const limit = deps.rateLimit > 0 ? new RateLimit(deps.rateLimit) : undefined
  await server.register(async (app) => ownerApi(app as unknown as HttpServer, server, deps, limit))
  await server.register(async (app) => readerApi(app as unknown as HttpServer, server, deps, limit))
  await server.register(async (app) => uploads(app as unknown as HttpServer, server, deps))
  await server.register(async (app) => delivery(app as unknown as HttpServer, server, deps))
}

/** What a workspace does with its publications: with its API key, counted. */
function ownerApi(app: HttpServer, server: HttpServer, deps: PublicationsDeps, limit: RateLimit | undefined): void {
  allowCrossOrigin(app, server)
  limitByAddress(app, limit)
  demandApiKey(app, deps)
  acceptJsonBodies(app, { limitBytes: MAX_BODY_BYTES, budget: deps.bodyBudget })

  createUploadUrl(app, deps)
}

/** What anyone may ask about a publication: without a key, counted. */
function readerApi(app: HttpServer, server: HttpServer, deps: PublicationsDeps, limit: RateLimit | undefined): void {
  allowCrossOrigin(app, server)
  limitByAddress(app, limit)

  getPdfUrl(app, deps)
  getImages(app, deps)
  downloadPdf(app, deps)
}

/** Files come in by addresses that are capabilities, from pages of any origin, and are not counted. */
function uploads(app: HttpServer, server: HttpServer, deps: PublicationsDeps): void {
  allowCrossOrigin(app, server)
  uploadFile(app, deps)
}

/** Files, images and pages: reached by addresses that are capabilities or public, and not counted. */
function delivery(app: HttpServer, _server: HttpServer, deps: PublicationsDeps): void {
  sendFile(app, deps)
}
