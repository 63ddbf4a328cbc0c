import { acceptJsonBodies } from '#platform/http/bodies/json-body.ts'
import type { HttpServer } from '#platform/http/http-server.ts'
import { FEW_FIELDS } from '#platform/http/json/parse-json-limits.ts'
import { RateLimit } from '#platform/http/limits/rate-limit.ts'
import { allowCrossOrigin } from '#platform/http/server/cross-origin.ts'
import { getPageImage } from './delivery/get-page-image.ts'
import { restrictToCdn } from './delivery/restrict-to-cdn.ts'
import { sendFile } from './delivery/send-file.ts'
import { limitByAddress, requireApiKey } from './owner-api/authentication.ts'
import { createPublication } from './owner-api/create-publication.ts'
import { createUploadUrl } from './owner-api/create-upload-url.ts'
import { deletePublication } from './owner-api/delete-publication.ts'
import { listPublications } from './owner-api/list-publications.ts'
import { publish } from './owner-api/publish.ts'
import { replaceFile } from './owner-api/replace-file.ts'
import { unpublish } from './owner-api/unpublish.ts'
import { updatePublication } from './owner-api/update-publication.ts'
import { answerAsPages } from './public-pages/answer-as-pages.ts'
import { getPageAssets } from './public-pages/get-page-assets.ts'
import { getPageText } from './public-pages/get-page-text.ts'
import { getSitemap } from './public-pages/get-sitemap.ts'
import { showPublicPage } from './public-pages/show-public-page.ts'
import { downloadPdf } from './reader-api/download-pdf.ts'
import { getImages } from './reader-api/get-images.ts'
import { getOembed } from './reader-api/get-oembed.ts'
import { getPage } from './reader-api/get-page.ts'
import { getPdfUrl } from './reader-api/get-pdf-url.ts'
import { getPublication } from './reader-api/get-publication.ts'
import { publicationEvents } from './reader-api/publication-events.ts'
import { reportReading } from './reader-api/report-reading.ts'
import { searchPublication } from './reader-api/search-publication.ts'
import type { PublicationsService } from './service.ts'
import { uploadFile } from './uploads/upload-file.ts'
import { webhooksApi } from './webhooks/webhooks-api.ts'

type Deps = PublicationsService['deps']

/** Largest JSON body, decoded; files are uploaded separately. */
const MAX_BODY_BYTES = 1_048_576

/** Largest reading report, decoded: the numbers of thousands of pages. */
const MAX_REPORT_BYTES = 65_536

/** Registers the API of the publication service, and the pages, images and files that it leads to. */
export async function publicationsApi(server: HttpServer, deps: Deps): Promise<void> {
  const { rateLimit, limitExchange } = deps
  const shared = limitExchange?.share('client addresses', rateLimit)
  const limit = rateLimit > 0 ? new RateLimit(rateLimit, { shared }) : undefined
  await server.register(async (app: HttpServer) => ownerApi(app, server, deps, limit))
  await server.register(async (app: HttpServer) => readerApi(app, server, deps, limit))
  await server.register(async (app: HttpServer) => reports(app, server, deps, limit))
  await server.register(async (app: HttpServer) => uploads(app, server, deps))
  await server.register(async (app: HttpServer) => delivery(app, deps))
  await server.register(async (app: HttpServer) => publicPages(app, deps, limit))
}

/** Endpoints for workspaces: with an API key, rate-limited. */
function ownerApi(app: HttpServer, server: HttpServer, deps: Deps, limit: RateLimit | undefined): void {
  allowCrossOrigin(app, server)
  limitByAddress(app, limit)
  requireApiKey(app, deps)
  acceptJsonBodies(app, { limitBytes: MAX_BODY_BYTES, limits: FEW_FIELDS, budget: deps.bodyBudget })

  createUploadUrl(app, deps)
  createPublication(app, deps)
  listPublications(app, deps)
  updatePublication(app, deps)
  deletePublication(app, deps)
  unpublish(app, deps)
  publish(app, deps)
  replaceFile(app, deps)
  webhooksApi(app, deps)
}

/** Endpoints for readers: without a key, rate-limited. */
function readerApi(app: HttpServer, server: HttpServer, deps: Deps, limit: RateLimit | undefined): void {
  allowCrossOrigin(app, server)
  limitByAddress(app, limit)

  getPublication(app, deps)
  getPdfUrl(app, deps)
  getImages(app, deps)
  downloadPdf(app, deps)
  publicationEvents(app, deps)
  getPage(app, deps)
  searchPublication(app, deps)
  getOembed(app, deps)
}

/** Reports of readers' pages, rate-limited. A beacon is sent as text, which needs no CORS preflight. */
function reports(app: HttpServer, server: HttpServer, deps: Deps, limit: RateLimit | undefined): void {
  allowCrossOrigin(app, server)
  limitByAddress(app, limit)
  acceptJsonBodies(app, { limitBytes: MAX_REPORT_BYTES, budget: deps.bodyBudget, alsoAsText: true })

  reportReading(app, deps)
}

/** Uploads, at addresses that are capabilities, from pages of any origin, and not rate-limited. */
function uploads(app: HttpServer, server: HttpServer, deps: Deps): void {
  allowCrossOrigin(app, server)
  uploadFile(app, deps)
}

/** Files and images, at addresses that are capabilities, and not rate-limited. */
function delivery(app: HttpServer, deps: Deps): void {
  restrictToCdn(app, deps)
  sendFile(app, deps)
  getPageImage(app, deps)
}

/** Pages for people and search engines, whose errors are pages as well. */
function publicPages(app: HttpServer, deps: Deps, searchLimit: RateLimit | undefined): void {
  answerAsPages(app, deps)
  showPublicPage(app, { ...deps, searchLimit })
  getPageText(app, deps)
  getPageAssets(app, deps)
  getSitemap(app, deps)
}
