import type { Kysely } from 'kysely'
import type { BlobStore } from '#platform/blobs/blob-store.ts'
import type { Notices } from '#platform/database/notices.ts'
import type { Secrets } from '#platform/security/secret.ts'
import type { AddressSigner } from '#platform/security/signed-address.ts'
import type { Addresses } from '../domain/addresses.ts'
import type { Rendering } from '../rendering/jobs/create-rendering.ts'
import { createFilesStore } from '../storage/files-store.ts'
import type { PublicationsTables } from '../storage/tables.ts'
import { DeliveredFiles } from './delivered-files.ts'
import { createFileAddresses } from './file-addresses.ts'
import { createImageListCache } from './image-list-cache.ts'
import { createPageAddresses } from './page-addresses.ts'
import { createPageImages } from './page-images.ts'
import { PageWaits } from './page-waits.ts'

type Deps = {
  db: Kysely<PublicationsTables>
  blobs: BlobStore
  notices: Notices | undefined
  rendering: Pick<Rendering, 'versions' | 'pages' | 'versionChanges' | 'renderQueue' | 'imageMaker'>
  signer: AddressSigner
  secrets: Secrets
  addresses: Pick<Addresses, 'cdn'>
  now: () => number
}

/** Builds the delivery of PDFs and page images: their addresses, and what is found there. */
export function createDelivery({ db, blobs, notices, rendering, signer, secrets, addresses, now }: Deps) {
  const { versions, renderQueue, imageMaker } = rendering
  const files = createFilesStore(db)
  const pageAddresses = createPageAddresses(secrets)
  const deliveredFiles = new DeliveredFiles(files, notices, now)
  const pageWaits = new PageWaits(rendering.pages, rendering.versionChanges)
  return {
    files,
    fileAddresses: createFileAddresses({ signer, cdn: addresses.cdn, now }),
    pageAddresses,
    imageLists: createImageListCache(pageAddresses, addresses.cdn),
    deliveredFiles,
    pageWaits,
    pageImages: createPageImages({ blobs, versions, renderQueue, imageMaker, pageWaits }),
  }
}
