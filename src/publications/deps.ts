import type { Kysely } from 'kysely'
import type { BlobStore } from '#platform/blobs/blob-store.ts'
import type { Database } from '#platform/database/connect.ts'
import type { BodyBudget } from '#platform/http/bodies/request-body.ts'
import type { Logger } from '#platform/logger.ts'
import type { AddressSigner } from '#platform/security/signed-address.ts'
import type { TokenLookup } from '#platform/tokens/token-lookup.ts'
import type { DeliveredFiles } from './delivery/delivered-files.ts'
import type { FileAddresses } from './delivery/file-addresses.ts'
import type { ImageLists } from './delivery/image-list-cache.ts'
import type { PageAddresses } from './delivery/page-addresses.ts'
import type { PageImages } from './delivery/page-images.ts'
import type { PageWaits } from './delivery/page-waits.ts'
import type { Remover } from './documents/deletion-worker.ts'
import type { LocalDocuments } from './documents/local-documents.ts'
import type { Assets } from './public-pages/assets.ts'
import type { ReaderFacts } from './reader-api/reader-facts-cache.ts'
import type { FigureCounter } from './reading-figures/figure-counter.ts'
import type { Renderer } from './rendering/threads/renderer.ts'
import type { RenderQueue } from './rendering/work/render-queue.ts'
import type { VersionChanges } from './rendering/work/version-changes.ts'
import type { SearchableTexts } from './search/page-text-cache.ts'
import type { FiguresStore } from './storage/figures-store.ts'
import type { PagesStore } from './storage/pages-store.ts'
import type { PublicPageStore } from './storage/public-page-store.ts'
import type { PublicationsStore } from './storage/publications-store.ts'
import type { ReadingStore } from './storage/reading-store.ts'
import type { PublicationsTables } from './storage/tables.ts'
import type { UploadsStore } from './storage/uploads-store.ts'
import type { VersionsStore } from './storage/versions-store.ts'
import type { WorkspacesStore } from './storage/workspaces-store.ts'

/** Absolute addresses of the installation, without a trailing slash; known once the server listens. */
export type Addresses = { base(): string; public(): string; cdn(): string }

/** What the service is built from. */
export type PublicationsDeps = {
  database: Database<PublicationsTables>
  db: Kysely<PublicationsTables>
  blobs: BlobStore
  renderer: Renderer
  localDocuments: LocalDocuments
  workspaces: WorkspacesStore
  uploads: UploadsStore
  publications: PublicationsStore
  keys: TokenLookup<{ workspaceId: string }>
  /** Each purpose signs with a key of its own: what opens an upload is worthless at a file. */
  signers: { upload: AddressSigner; file: AddressSigner }
  addresses: Addresses
  reading: ReadingStore
  fileAddresses: FileAddresses
  pageAddresses: PageAddresses
  imageLists: ImageLists
  publicPages: PublicPageStore
  /** Stylesheet and script of the public pages. */
  pageAssets: Assets
  readerFacts: ReaderFacts
  searchableTexts: SearchableTexts
  versions: VersionsStore
  pages: PagesStore
  renderQueue: RenderQueue
  versionChanges: VersionChanges
  deliveredFiles: DeliveredFiles
  pageImages: PageImages
  pageWaits: PageWaits
  imageCacheBytes: number
  /** How publications are read: what was counted, and what counts. */
  figures: FiguresStore
  figureCounter: FigureCounter
  remover: Remover
  logger: Logger
  bodyBudget: BodyBudget
  /** Milliseconds since 1970. */
  now: () => number
  /** Requests per second of one client address; 0 = off. */
  rateLimit: number
  maxUploadBytes: number
  maxPages: number
}
