import { fileBlobs } from '../support/blob-stores.ts'
import { testBlobStore } from './blob-store-contract.ts'

testBlobStore(fileBlobs, { decidesConcurrentCommits: true })
