import type { Kysely } from 'kysely'
import type { Notices } from '#platform/database/notices.ts'
import type { InspectionStore } from '#platform/doctor/inspection-store.ts'
import type { WebhookRouteDeps } from '#platform/webhooks/webhook-scope.ts'
import type { DeliveredFiles } from '../delivery/answer-caches.ts'
import type { PageImages } from '../delivery/page-images.ts'
import type { DeletionWorker } from '../documents/deletion-worker.ts'
import type { PrepareFile } from '../documents/prepare-file.ts'
import type { UploadTickets } from '../documents/upload-tickets.ts'
import type { FiguresStore } from '../figures/store.ts'
import type { PublicationBin } from '../model/bin-store.ts'
import type { CollectionsStore } from '../model/collections-store.ts'
import type { Addresses } from '../model/config.ts'
import type { FacesStore } from '../model/faces-store.ts'
import type { FilesStore } from '../model/files-store.ts'
import type { LibraryStore } from '../model/library-store.ts'
import type { PagesStore } from '../model/pages-store.ts'
import type { PublicationsStore } from '../model/publications-store.ts'
import type { ReaderLinks } from '../model/reader-links.ts'
import type { ReaderPasswords } from '../model/reader-passwords.ts'
import type { PublicationsTables } from '../model/tables.ts'
import type { VersionChanges } from '../model/versions.ts'
import type { WorkspacesStore } from '../model/workspaces-store.ts'
import type { RenderQueue } from '../rendering/render-queue.ts'
import type { Renderer } from '../rendering/threads/renderer.ts'
import type { ShelfSearch } from '../search/shelf-search.ts'
import type { LibraryWatches } from './library-watch.ts'
import type { OperatorWorkspacesStore } from './operator-workspaces-store.ts'
import type { WorkspaceKeys } from './workspace-keys.ts'

/** Parts that the routes of workspaces and their publications are built from. */
export type LibraryDeps = {
  db: Kysely<PublicationsTables>
  notices: Notices | undefined
  workspaces: WorkspacesStore
  operatorWorkspaces: OperatorWorkspacesStore
  workspaceKeys: WorkspaceKeys
  publications: PublicationsStore
  bin: PublicationBin
  pages: PagesStore
  files: FilesStore
  readerLinks: ReaderLinks
  readerPasswords: ReaderPasswords
  library: LibraryStore
  collections: CollectionsStore
  faces: FacesStore
  libraryWatches: LibraryWatches
  figures: FiguresStore
  shelfSearch: ShelfSearch
  inspection: { store: InspectionStore }
  tickets: UploadTickets
  prepareFile: PrepareFile
  renderer: Renderer
  renderQueue: RenderQueue
  versionChanges: VersionChanges
  pageImages: PageImages
  deliveredFiles: DeliveredFiles
  deletionWorker: DeletionWorker
  webhookRouteDeps: WebhookRouteDeps
  addresses: Addresses
  now: () => number
}
