import { join } from 'node:path'
import { inChildSpan, isTracing } from '../tracing/spans.ts'
import type { BlobStore } from './blob-store.ts'
import { openFileBlobStore } from './file-blob-store.ts'
import { parseS3Address } from './s3-address.ts'

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

/** Makes a span of each use of a store, without the keys. Without traces, the store stays as it is. */
function traceBlobs(store: BlobStore): BlobStore {
  if (!isTracing()) return store
  const attributes = { 'blobs.kind': store.kind }
  const traced = <Result>(name: string, work: () => Promise<Result>) => inChildSpan(name, attributes, work)
  return {
    ...store,
    read: (key, range) => traced('read blob', () => store.read(key, range)),
    head: (key) => traced('find blob', () => store.head(key)),
    delete: (key) => traced('delete blob', () => store.delete(key)),
    async draft(source) {
      const draft = await traced('write blob', () => store.draft(source))
      const { commit } = draft
      return Object.assign(draft, { commit: (key: string) => traced('commit blob', () => commit.call(draft, key)) })
    },
  }
}
