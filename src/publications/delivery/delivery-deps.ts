import type { BlobStore } from '#platform/blobs/blob-store.ts'
import type { FigureCounter } from '../figures/figure-counter.ts'
import type { Addresses } from '../model/config.ts'
import type { FilesStore } from '../model/files-store.ts'
import type { PagesStore } from '../model/pages-store.ts'
import type { PublicPageStore } from '../model/public-page-store.ts'
import type { PublicationsStore } from '../model/publications-store.ts'
import type { ReaderLinks } from '../model/reader-links.ts'
import type { VersionChanges, VersionsStore } from '../model/versions.ts'
import type { RenderWorkDeps } from '../rendering/render-work-deps.ts'
import type { FileAddresses, PageAddresses } from './addresses.ts'
import type { DeliveredFiles, ImageListCache, ReaderFactsCache } from './answer-caches.ts'
import type { ImageMaker, PageImages, PageWaits } from './page-images.ts'

/** Parts that the routes of delivery are built from. */
export type DeliveryDeps = {
  blobs: BlobStore
  publications: PublicationsStore
  publicPages: PublicPageStore
  pages: PagesStore
  files: FilesStore
  readerLinks: ReaderLinks
  versions: VersionsStore
  versionChanges: VersionChanges
  readerFacts: ReaderFactsCache
  imageLists: ImageListCache
  fileAddresses: FileAddresses
  pageAddresses: PageAddresses
  deliveredFiles: DeliveredFiles
  pageImages: PageImages
  pageWaits: PageWaits
  imageMaker: ImageMaker
  renderer: RenderWorkDeps['renderer']
  localDocuments: RenderWorkDeps['localDocuments']
  imageCacheBytes: number
  figureCounter: FigureCounter
  addresses: Addresses
  now: () => number
}
