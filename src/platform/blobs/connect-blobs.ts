import { join } from 'node:path'
import type { BlobStore } from './blob-store.ts'
import { openFileBlobStore } from './file-blob-store.ts'
import { parseS3Address } from './s3-address.ts'

export type { BlobStore } from './blob-store.ts'

export type ConnectBlobsOptions = {
  /** `s3://bucket?…`, or empty for files in `dataDir/blobs`. */
  url: string
  dataDir: string
}

/**
 * Opens the store of files, creating its folder when it is not there; a bucket has to exist.
 * Rejects with UNAVAILABLE when it cannot be reached or used; afterwards it comes back by itself.
 */
export async function connectBlobs({ url, dataDir }: ConnectBlobsOptions): Promise<BlobStore> {
  if (url === '') return await openFileBlobStore(join(dataDir, 'blobs'))
  const address = parseS3Address(url)
  // The client of S3 is large, and most installations have no use for it.
  const { openS3BlobStore } = await import('./s3-blob-store.ts')
  return await openS3BlobStore(address)
}
