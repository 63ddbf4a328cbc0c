import { fileBlobs, s3Blobs } from './blob-stores.ts'
import { databases, type Owner } from './databases.ts'
import { type StartedPublications, startPublications } from './start-service.ts'

/** Where publications are kept. */
export type PublicationPlace = {
  name: string
  start(owner: Owner, env?: Record<string, string>): Promise<StartedPublications>
}

/** Every database with files, and the first one with a bucket: what is done with blobs does not depend on the database. */
export const publicationPlaces: readonly PublicationPlace[] = [
  ...databases.map((database) => ({ database, blobs: fileBlobs })),
  { database: databases[0], blobs: s3Blobs },
].map(({ database, blobs }) => ({
  name: `${database.name} and ${blobs.name}`,
  async start(owner, env = {}) {
    if (blobs === fileBlobs) return await startPublications(owner, database, env)
    const cleanUps: (() => Promise<void> | void)[] = []
    const { url } = await blobs.open({ after: (clean) => cleanUps.push(clean) })
    const service = await startPublications(owner, database, { ...env, BLOBS_URL: url })
    owner.after(async () => {
      for (const clean of cleanUps) await clean()
    })
    return service
  },
}))
