import { fileBlobs, s3Blobs } from './blob-stores.ts'
import { databases, type Owner } from './databases.ts'
import { type StartedPublications, startService } from './start-service.ts'

/** A database and a store of files. */
export type PublicationPlace = {
  name: string
  start(owner: Owner, settings?: Record<string, string>): Promise<StartedPublications>
}

/** Every database with files, and the first one with a bucket: the use of blobs does not depend on the database. */
export const publicationPlaces: readonly PublicationPlace[] = [
  ...databases.map((database) => ({ database, blobs: fileBlobs })),
  { database: databases[0], blobs: s3Blobs },
].map(({ database, blobs }) => ({
  name: `${database.name} and ${blobs.name}`,
  start: (owner, settings) => startService(owner, database, { services: ['publications'], settings, blobs }),
}))
