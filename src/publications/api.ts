import { allowCrossOrigin } from '#platform/http/cross-origin.ts'
import type { HttpServer } from '#platform/http/http-server.ts'
import { FEW_FIELDS } from '#platform/http/parse-json.ts'
import { RateLimit } from '#platform/http/rate-limit.ts'
import { acceptJsonBodies } from '#platform/http/request-body.ts'
import { restrictToCdn } from './delivery/addresses.ts'
import { getPage } from './delivery/get-page.ts'
import { getPageImage } from './delivery/get-page-image.ts'
import { getImages, getPublication, readerDoor } from './delivery/get-publication.ts'
import { downloadPdf, getAttachment, getPdfUrl, sendFile } from './delivery/pdf-files.ts'
import { publicationEvents } from './delivery/publication-events.ts'
import { resumeUpload } from './documents/resume-upload.ts'
import { TUS_ANSWER_HEADERS, TUS_REQUEST_HEADERS, tusAbilities } from './documents/tus.ts'
import { uploadFile } from './documents/upload-file.ts'
import { exportOffline, getManifest, iiifImages } from './exports/routes.ts'
import { reportReading } from './figures/routes.ts'
import { limitByAddress, requireApiKey } from './library/api-keys.ts'
import { collectionRoutes } from './library/collection-routes.ts'
import { creationRoutes } from './library/create-publication.ts'
import { ownerDoor } from './library/publication-doors.ts'
import { changeRoutes, listPublications } from './library/publication-routes.ts'
import { readerLinkRoutes } from './library/reader-link-routes.ts'
import { versionRoutes } from './library/version-routes.ts'
import { webhooksApi } from './library/webhooks.ts'
import type { PublicPagesDeps } from './public-pages/answer-as-pages.ts'
import { answerFailuresAsPages } from './public-pages/answer-as-pages.ts'
import { getPageAssets } from './public-pages/assets.ts'
import { getOembed } from './public-pages/oembed.ts'
import { getPageText, givePassword, showPublicPage } from './public-pages/show-public-page.ts'
import { getSitemap } from './public-pages/sitemap.ts'
import { searchPublication } from './search/document-search.ts'
import type { PublicationsDeps } from './service.ts'
import { allowedDomains } from './shelf/own-hosts.ts'
import { shelfRoutes } from './shelf/shelf-routes.ts'

/** Largest JSON body, decoded; files are uploaded separately. */
const MAX_BODY_BYTES = 1_048_576

/** Largest reading report, decoded: the numbers of thousands of pages. */
const MAX_REPORT_BYTES = 65_536

/** Registers the API of the publication service, and the pages, images and files that it leads to. */
export async function publicationsApi(server: HttpServer, deps: PublicationsDeps): Promise<void> {
  const { rateLimit, limitExchange } = deps
  const shared = limitExchange?.share('client addresses', rateLimit)
  const limit = rateLimit > 0 ? new RateLimit(rateLimit, { shared }) : undefined
  await server.register(async (app: HttpServer) => ownerApi(app, server, deps, limit))
  await server.register(async (app: HttpServer) => readerApi(app, server, { ...deps, searchLimit: limit }, limit))
  await server.register(async (app: HttpServer) => reports(app, server, deps, limit))
  await server.register(async (app: HttpServer) => uploads(app, server, deps))
  await server.register(async (app: HttpServer) => delivery(app, deps))
  await server.register(async (app: HttpServer) => publicPages(app, { ...deps, searchLimit: limit }))
  await server.register(async (app: HttpServer) => shelves(app, { ...deps, searchLimit: limit }))
}

/** Endpoints for workspaces: with an API key, rate-limited. */
function ownerApi(app: HttpServer, server: HttpServer, deps: PublicationsDeps, limit: RateLimit | undefined): void {
  allowCrossOrigin(app, server)
  limitByAddress(app, limit)
  requireApiKey(app, deps)
  acceptJsonBodies(app, { limitBytes: MAX_BODY_BYTES, limits: FEW_FIELDS, budget: deps.bodyBudget })

  const door = ownerDoor(deps)
  creationRoutes(app, door, deps)
  listPublications(app, door)
  changeRoutes(app, door, deps)
  readerLinkRoutes(app, door, deps)
  versionRoutes(app, door, deps)
  collectionRoutes(app, door, deps)
  exportOffline(app, door, deps)
  webhooksApi(app, deps)
}

type ReaderDeps = PublicationsDeps & PublicPagesDeps

/** Endpoints for readers: without a key, rate-limited. */
function readerApi(app: HttpServer, server: HttpServer, deps: ReaderDeps, limit: RateLimit | undefined): void {
  allowCrossOrigin(app, server)
  limitByAddress(app, limit)

  getPublication(app, readerDoor(deps))
  getPdfUrl(app, deps)
  getImages(app, deps)
  downloadPdf(app, deps)
  getAttachment(app, deps)
  publicationEvents(app, deps)
  getPage(app, deps)
  getManifest(app, deps)
  searchPublication(app, deps)
  getOembed(app, deps)
}

/** Reports of readers' pages, rate-limited. A beacon is sent as text, which needs no CORS preflight. */
function reports(app: HttpServer, server: HttpServer, deps: PublicationsDeps, limit: RateLimit | undefined): void {
  allowCrossOrigin(app, server)
  limitByAddress(app, limit)
  acceptJsonBodies(app, { limitBytes: MAX_REPORT_BYTES, budget: deps.bodyBudget, alsoAsText: true })

  reportReading(app, deps)
}

/** Uploads, at addresses that are capabilities, from pages of any origin, and not rate-limited. */
function uploads(app: HttpServer, server: HttpServer, deps: PublicationsDeps): void {
  allowCrossOrigin(app, server, {
    allowed: TUS_REQUEST_HEADERS,
    exposed: TUS_ANSWER_HEADERS,
    answer: tusAbilities(deps.maxUploadBytes),
  })
  uploadFile(app, deps)
  resumeUpload(app, deps)
}

/** Files and images, at addresses that are capabilities, and not rate-limited. */
function delivery(app: HttpServer, deps: PublicationsDeps): void {
  restrictToCdn(app, deps.cdnUrl, deps.dashboardHost)
  sendFile(app, deps)
  getPageImage(app, deps)
  iiifImages(app, deps)
}

/** Pages for people and search engines, whose errors are pages as well. */
function publicPages(app: HttpServer, deps: ReaderDeps): void {
  answerFailuresAsPages(app, '/p/', deps)
  showPublicPage(app, deps)
  givePassword(app, deps)
  getPageText(app, deps)
  getPageAssets(app, deps.pageAssets)
  getSitemap(app, deps)
  allowedDomains(app, deps)
}

/** The shelves of workspaces, whose errors are pages as well. */
function shelves(app: HttpServer, deps: ReaderDeps): void {
  answerFailuresAsPages(app, '/w/', deps)
  shelfRoutes(app, deps)
}
