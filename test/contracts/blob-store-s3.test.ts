import { s3Blobs, s3BlobsWithoutConditions } from '../support/blob-stores.ts'
import { testBlobStore } from './blob-store-contract.ts'

testBlobStore(s3Blobs, { decidesConcurrentCommits: true })
for (const blobs of s3BlobsWithoutConditions) testBlobStore(blobs, { decidesConcurrentCommits: false })
