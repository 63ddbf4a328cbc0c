import { fileBlobs, s3Blobs } from './blob-stores.ts'
import { databases, type Owner } from './databases.ts'
import { type StartedPublications, startService } from './start-service.ts'

/** A database and a store of files. */
export type PublicationPlace = {
  name: string
  start(owner: Owner, settings?: Record<string, string>): Promise<StartedPublications>
}

/** The quick check has no buckets. */
const hasBuckets = process.env.TEST_BLOBS !== 'files'

/**
 * Every database and each store of files, not all pairs of them: the use of blobs does not depend on the database. The
 * last database has a bucket.
 */
export const publicationPlaces: readonly PublicationPlace[] = [
  ...(hasBuckets && databases.length > 1 ? databases.slice(0, -1) : databases).map((database) => {
    return { database, blobs: fileBlobs }
  }),
  ...(hasBuckets ? [{ database: databases.at(-1)!, blobs: s3Blobs }] : []),
].map(({ database, blobs }) => ({
  name: `${database.name} and ${blobs.name}`,
  start: (owner, settings) => startService(owner, database, { services: ['publications'], settings, blobs }),
}))
