import { join } from 'node:path'
import type { BlobStore } from './blob-store.ts'
import { openFileBlobStore } from './file-blob-store.ts'
import { parseS3Address } from './s3-address.ts'
import { traceBlobs } from './trace-blobs.ts'

export type { BlobStore } from './blob-store.ts'

type ConnectBlobsOptions = {
  /** `s3://bucket?…`, or empty for files in `dataDir/blobs`. */
  url: string
  dataDir: string
}

/**
 * Opens the store of files and creates its folder if it does not exist. Rejects with UNAVAILABLE if
 * the folder cannot be used. A bucket must exist, but is not waited for: `check` shows whether it can
 * be used. It is reconnected automatically.
 */
export async function connectBlobs({ url, dataDir }: ConnectBlobsOptions): Promise<BlobStore> {
  if (url === '') return traceBlobs(await openFileBlobStore(join(dataDir, 'blobs')))
  const address = parseS3Address(url)
  // The S3 client is large, and most installations do not need it.
  const { openS3BlobStore } = await import('./s3-blob-store.ts')
  return traceBlobs(await openS3BlobStore(address))
}
