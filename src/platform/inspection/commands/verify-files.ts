import { eachDatabase, isTableMissing } from '../../backup/each-database.ts'
import type { Installation, NamedBlob } from '../../backup/kept-data.ts'
import type { BlobStore } from '../../blobs/blob-store.ts'
import { type FileProblem, lookAtFile } from '../look-at-file.ts'
import { findNamed } from '../stored-data.ts'

/** A stored file that is missing or damaged. */
export type BadFile = FileProblem & { service: string; blob: NamedBlob }

/** Stored files that were looked at. */
type VerifiedFiles = { count: number; bytes: number }

/**
 * Reads every stored file that rows name, and passes on what is missing or damaged. Rows that are gone by then do not
 * count. Of page images whose rows have no SHA-256 yet, existence and size are looked at.
 */
export async function verifyFiles(
  installation: Installation,
  blobs: Pick<BlobStore, 'head' | 'read'>,
  onBad: (bad: BadFile) => Promise<void>,
): Promise<VerifiedFiles> {
  const totals: VerifiedFiles = { count: 0, bytes: 0 }
  await eachDatabase(installation, async ({ name: service, blobs: tables }, { db }) => {
    for (const read of Object.values(tables))
      try {
        const named = (after?: string) => read(db, after)
        let before: string | undefined
        let at: string | undefined
        for await (const blob of named()) {
          if (blob.at !== at) [before, at] = [at, blob.at]
          if (blob.isNamedAgain) continue
          totals.count++
          totals.bytes += blob.size
          const bad = await findBad(blobs, named, blob, before)
          if (bad !== undefined) await onBad({ ...bad, service })
        }
      } catch (error) {
        if (!isTableMissing(error)) throw error
      }
  })
  return totals
}

/** Looks twice before it calls a file bad, the second time with what its row says by then. */
async function findBad(
  blobs: Pick<BlobStore, 'head' | 'read'>,
  named: (after?: string) => AsyncIterable<NamedBlob>,
  seen: NamedBlob,
  before: string | undefined,
): Promise<Omit<BadFile, 'service'> | undefined> {
  if ((await lookAtFile(blobs, seen, { readsAll: true })) === undefined) return undefined
  const blob = await findNamed(named, before, seen)
  const problem = blob && (await lookAtFile(blobs, blob, { readsAll: true }))
  return problem && { ...problem, blob }
}
