import { after, type test } from 'node:test'
import { fileBlobs, s3Blobs } from './blob-stores.ts'
import { databases } from './databases.ts'
import { describeOn } from './describe-service.ts'
import { type StartedPublications, startService } from './start-service.ts'

/** The quick check has no buckets. */
const hasBuckets = process.env.TEST_BLOBS !== 'files'

/** Databases whose files are in folders; the last one has a bucket, if there are buckets. */
const withFolders = hasBuckets && databases.length > 1 ? databases.slice(0, -1) : databases

type Suite = (given: { service: StartedPublications; once: typeof test }) => Promise<void>

/**
 * Declares a suite for every database and each store of files, not all pairs of them: the use of blobs does not depend
 * on the database. `once` declares a test in the first place only.
 */
export function describePlaces(subject: string, settings: Record<string, string>, suite: Suite): void {
  const placesOf = [
    { blobs: fileBlobs, on: withFolders },
    { blobs: s3Blobs, on: hasBuckets ? databases.slice(-1) : [] },
  ]
  for (const { blobs, on } of placesOf) {
    describeOn(on, `${subject} in ${blobs.name}`, async (database, once) => {
      await suite({
        service: await startService({ after }, database, { services: ['publications'], settings, blobs }),
        once,
      })
    })
  }
}
