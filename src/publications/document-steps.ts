import type { Kysely } from 'kysely'
import type { Registry } from 'prom-client'
import type { BlobStore } from '#platform/blobs/blob-store.ts'
import type { Notices } from '#platform/database/notices.ts'
import type { Logger } from '#platform/logger.ts'
import type { Secrets } from '#platform/security/secret.ts'
import { createAddressSigner } from '#platform/security/signed-address.ts'
import { createDelivery } from './delivery/create-delivery.ts'
import { createLocalDocuments } from './documents/local-documents.ts'
import { createPrepareFile } from './documents/prepare-file.ts'
import type { Addresses } from './domain/addresses.ts'
import { createRendering } from './rendering/jobs/create-rendering.ts'
import { createPreparationMetrics } from './rendering/preparation/preparation-metrics.ts'
import { PreparedDocuments } from './rendering/preparation/prepared-documents.ts'
import { createRenderer } from './rendering/threads/renderer.ts'
import { createPublicationsStore } from './storage/publications-store.ts'
import type { PublicationsTables } from './storage/tables.ts'
import { createUploadsStore } from './storage/uploads-store.ts'
import { createStoreUpload } from './uploads/store-upload.ts'
import { createUploadTickets, TICKET_LIFETIME_MS } from './uploads/upload-tickets.ts'
import { UploadTurns } from './uploads/upload-turns.ts'

type Deps = {
  db: Kysely<PublicationsTables>
  notices: Notices | undefined
  blobs: BlobStore
  secrets: Secrets
  addresses: Addresses
  registry: Registry
  maxUploadBytes: number
  maxPages: number
  logger: Logger
  now: () => number
}

/** Builds the steps of a document from its upload ticket to its readers, in the order in which it passes them. */
export function createDocumentSteps(deps: Deps) {
  const { db, blobs, secrets, addresses, maxPages, now } = deps
  const uploads = createUploadsStore(db)
  const renderer = createRenderer({ maxPages })
  const localDocuments = createLocalDocuments(blobs)
  const metrics = createPreparationMetrics(deps.registry, () => preparedDocuments.bytes)
  const preparedDocuments = new PreparedDocuments({ renderer, localDocuments, metrics }, { lifeMs: TICKET_LIFETIME_MS })
  // Each purpose has a key of its own: the signature of an upload address is worthless for a file.
  const signers = { upload: createAddressSigner('upload', secrets), file: createAddressSigner('file', secrets) }

  // 1. A ticket grants one upload, at a signed address.
  const tickets = createUploadTickets({ uploads, signer: signers.upload, addresses, now })
  // 2. The upload is checked and stored while it arrives. Then the file is opened and its first page rendered ahead.
  const storeUpload = createStoreUpload({ ...deps, uploads, preparedDocuments })
  // 3. Inspection opens the file, unless that has been done, and refuses what cannot be published.
  const prepareFile = createPrepareFile({ db, uploads, localDocuments, renderer, preparedDocuments, maxPages })
  // 4. The file becomes a version, of a new publication or of an existing one.
  const publications = createPublicationsStore({ db, uploads, now })
  // 5. Rendering makes page images and texts of the version.
  const rendering = createRendering({ ...deps, renderer, preparedDocuments, localDocuments })
  // 6. Delivery sends the PDF and the page images to readers.
  const delivery = createDelivery({ ...deps, rendering, signer: signers.file })

  return {
    uploads,
    renderer,
    preparedDocuments,
    signers,
    tickets,
    storeUpload,
    uploadTurns: new UploadTurns(),
    prepareFile,
    publications,
    rendering,
    delivery,
    async close() {
      await rendering.close()
      delivery.deliveredFiles.close()
      await Promise.all([renderer.close(), preparedDocuments.close()])
      await localDocuments.close()
    },
  }
}
