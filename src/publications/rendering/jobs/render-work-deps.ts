import type { Kysely } from 'kysely'
import type { BlobStore } from '#platform/blobs/blob-store.ts'
import type { Notices } from '#platform/database/notices.ts'
import type { Logger } from '#platform/logger.ts'
import type { PagesStore } from '../../storage/pages-store.ts'
import type { PublicationsTables } from '../../storage/tables.ts'
import type { VersionsStore } from '../../storage/versions-store.ts'
import type { PreparedDocuments } from '../preparation/prepared-documents.ts'
import type { Renderer } from '../threads/renderer.ts'
import type { ByteBudget } from './byte-budget.ts'
import type { RenderMetrics } from './render-metrics.ts'
import type { VersionChanges } from './version-changes.ts'

/** The dependencies that all rendering work shares. */
export type RenderWorkDeps = {
  db: Kysely<PublicationsTables>
  versions: VersionsStore
  pages: PagesStore
  blobs: BlobStore
  /** Opens documents as local files; `await using` releases them. */
  localDocuments: { localDocument(blobKey: string): Promise<AsyncDisposable & { readonly path: string }> }
  renderer: Renderer
  preparedDocuments: Pick<PreparedDocuments, 'takePage'>
  changes: VersionChanges
  /** Limits the bitmaps that are being encoded. */
  budget: ByteBudget
  notices: Notices | undefined
  metrics: RenderMetrics
  logger: Logger
  now: () => number
}
