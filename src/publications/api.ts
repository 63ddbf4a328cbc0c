import { allowCrossOrigin } from '#platform/http/cross-origin.ts'
import type { HttpServer } from '#platform/http/http-server.ts'
import { acceptJsonBodies } from '#platform/http/json-body.ts'
import { RateLimit } from '#platform/http/rate-limit.ts'
import { demandApiKey, limitByAddress } from './authentication.ts'
import type { PublicationsDeps } from './deps.ts'
import { answerAsPages } from './routes/answer-as-pages.ts'
import { createPublication } from './routes/create-publication.ts'
import { createUploadUrl } from './routes/create-upload-url.ts'
import { deletePublication } from './routes/delete-publication.ts'
import { downloadPdf } from './routes/download-pdf.ts'
import { getImages } from './routes/get-images.ts'
import { getOembed } from './routes/get-oembed.ts'
import { getPage } from './routes/get-page.ts'
import { getPdfUrl } from './routes/get-pdf-url.ts'
import { getPublication } from './routes/get-publication.ts'
import { listPublications } from './routes/list-publications.ts'
import { pageAssets } from './routes/page-assets.ts'
import { pageImage } from './routes/page-image.ts'
import { pageText } from './routes/page-text.ts'
import { publicPage } from './routes/public-page.ts'
import { publicationEvents } from './routes/publication-events.ts'
import { publishAgain } from './routes/publish-again.ts'
import { replaceFile } from './routes/replace-file.ts'
import { reportReading } from './routes/report-reading.ts'
import { searchPublication } from './routes/search-publication.ts'
import { sendFile } from './routes/send-file.ts'
import { siteMap } from './routes/site-map.ts'
import { unpublish } from './routes/unpublish.ts'
import { updatePublication } from './routes/update-publication.ts'
import { uploadFile } from './routes/upload-file.ts'

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
  publicPage(app, deps)
  pageText(app, deps)
  pageAssets(app, deps)
  siteMap(app, deps)
}
