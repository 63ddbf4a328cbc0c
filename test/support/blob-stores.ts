import { rmSync } from 'node:fs'
import { type BlobStore, connectBlobs } from '#platform/blobs/connect-blobs.ts'
import { makeDataFolder } from './data-folder.ts'
import type { Owner } from './databases.ts'
import { type LocalS3Options, startLocalS3 } from './local-s3.ts'

/** The location of a fresh store, as `connectBlobs` takes it. */
export type BlobsAddress = { url: string; dataDir: string }

/** A kind of store to run a test on. */
export type TestBlobStore = {
  name: string
  /** Creates an empty store. The owner removes it. */
  open(owner: Owner): Promise<BlobsAddress>
}

export const fileBlobs: TestBlobStore = { name: 'files', open: openFolder }
export const s3Blobs: TestBlobStore = { name: 'S3', open: (owner) => openS3(owner, { conditions: 'kept' }) }

/** Servers that lack features of AWS. */
export const s3BlobsWithoutConditions: TestBlobStore[] = [
  { name: 'S3 that ignores conditions', open: (owner) => openS3(owner, { conditions: 'ignored' }) },
  { name: 'S3 that refuses conditions', open: (owner) => openS3(owner, { conditions: 'refused' }) },
]

/** The kinds to loop over: `for (const blobs of blobStores) describe(blobs.name, …)`. */
export const blobStores: readonly TestBlobStore[] = [fileBlobs, s3Blobs]

/** Creates a store and connects to it. The owner closes and removes it. */
export async function connectTestBlobs(owner: Owner, { open }: TestBlobStore): Promise<BlobStore> {
  const address = await open(owner)
  const store = await connectBlobs(address)
  owner.after(() => store.close())
  return store
}

async function openFolder(owner: Owner): Promise<BlobsAddress> {
  const dataDir = makeDataFolder('blobs-')
  owner.after(() => rmSync(dataDir, { recursive: true, force: true }))
  return { url: '', dataDir }
}

async function openS3(owner: Owner, options: LocalS3Options): Promise<BlobsAddress> {
  const s3 = await startLocalS3(options)
  owner.after(() => s3.close())
  return { url: `${s3.url}&prefix=some/folder`, dataDir: '' }
}
