import { acceptJsonBodies } from '#platform/http/bodies/json-body.ts'
import type { HttpServer } from '#platform/http/http-server.ts'
import { RateLimit } from '#platform/http/limits/rate-limit.ts'
import { allowCrossOrigin } from '#platform/http/server/cross-origin.ts'
import { pageImage } from './delivery/get-page-image.ts'
import { sendFile } from './delivery/send-file.ts'
import type { PublicationsDeps } from './deps.ts'
import { demandApiKey, limitByAddress } from './owner-api/authentication.ts'
import { createPublication } from './owner-api/create-publication.ts'
import { createUploadUrl } from './owner-api/create-upload-url.ts'
import { deletePublication } from './owner-api/delete-publication.ts'
import { listPublications } from './owner-api/list-publications.ts'
import { publishAgain } from './owner-api/publish-again.ts'
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
import { uploadFile } from './uploads/upload-file.ts'

/** Largest JSON body, decoded; files are uploaded apart. */
const MAX_BODY_BYTES = 1_048_576

/** Largest report of what was read, decoded: the numbers of thousands of pages. */
const MAX_REPORT_BYTES = 65_536

/** The publication service's API, with the pages, images and files that it leads to. */
export async function publicationsApi(server: HttpServer, deps: PublicationsDeps): Promise<void> {
  const limit = deps.rateLimit > 0 ? new RateLimit(deps.rateLimit) : undefined
  await server.register(async (app) => ownerApi(app as unknown as HttpServer, server, deps, limit))
  await server.register(async (app) => readerApi(app as unknown as HttpServer, server, deps, limit))
  await server.register(async (app) => reports(app as unknown as HttpServer, server, deps, limit))
  await server.register(async (app) => uploads(app as unknown as HttpServer, server, deps))
  await server.register(async (app) => delivery(app as unknown as HttpServer, server, deps))
  await server.register(async (app) => publicPages(app as unknown as HttpServer, deps))
}

/** What a workspace does with its publications: with its API key, counted. */
function ownerApi(app: HttpServer, server: HttpServer, deps: PublicationsDeps, limit: RateLimit | undefined): void {
  allowCrossOrigin(app, server)
  limitByAddress(app, limit)
  demandApiKey(app, deps)
  acceptJsonBodies(app, { limitBytes: MAX_BODY_BYTES, budget: deps.bodyBudget })

  createUploadUrl(app, deps)
  createPublication(app, deps)
  listPublications(app, deps)
  updatePublication(app, deps)
  deletePublication(app, deps)
  unpublish(app, deps)
  publishAgain(app, deps)
  replaceFile(app, deps)
}

/** What anyone may ask about a publication: without a key, counted. */
function readerApi(app: HttpServer, server: HttpServer, deps: PublicationsDeps, limit: RateLimit | undefined): void {
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

/** What readers' pages tell, counted; a beacon is sent as text, for which browsers ask no leave of another origin. */
function reports(app: HttpServer, server: HttpServer, deps: PublicationsDeps, limit: RateLimit | undefined): void {
  allowCrossOrigin(app, server)
  limitByAddress(app, limit)
  acceptJsonBodies(app, { limitBytes: MAX_REPORT_BYTES, budget: deps.bodyBudget, alsoAsText: true })

  reportReading(app, deps)
}

/** Files come in by addresses that are capabilities, from pages of any origin, and are not counted. */
function uploads(app: HttpServer, server: HttpServer, deps: PublicationsDeps): void {
  allowCrossOrigin(app, server)
  uploadFile(app, deps)
}

/** Files, images and pages: reached by addresses that are capabilities or public, and not counted. */
function delivery(app: HttpServer, _server: HttpServer, deps: PublicationsDeps): void {
  sendFile(app, deps)
  pageImage(app, deps)
}

/** Pages for people and search engines, whose failures are pages as well. */
function publicPages(app: HttpServer, deps: PublicationsDeps): void {
  answerAsPages(app, deps)
  showPublicPage(app, deps)
  getPageText(app, deps)
  getPageAssets(app, deps)
  getSitemap(app, deps)
}
