import type { PublicationsDeps } from '../deps.ts'

const DAY_MS = 24 * 3_600_000
/** Where uploaded files are, in the store of blobs. */
export const DOCUMENTS_FOLDER = 'documents/'
/** Blobs that are looked up in one query. */
const BLOBS_AT_ONCE = 500

/**
 * Removes what uploads that came to nothing have left behind: tickets nobody used, drafts of uploads that a crash broke
 * off, and files that were stored and never acknowledged. An upload under way is younger than a day, and so is left
 * alone. Interrupted, it is taken up by the next sweep; several instances may sweep at once.
 */
export async function sweepUploads({
  blobs,
  uploads,
  now,
}: Pick<PublicationsDeps, 'blobs' | 'uploads' | 'now'>): Promise<{ tickets: number; drafts: number; files: number }> {
  const limitMs = now() - DAY_MS
  const tickets = await uploads.removeExpired(limitMs)
  const drafts = await blobs.sweepDrafts(DAY_MS)
  let files = 0
  for await (const keys of oldDocuments(blobs, limitMs)) {
    const known = await uploads.knownBlobs(keys)
    for (const key of keys) {
      if (known.has(key)) continue
      await blobs.delete(key)
      files++
    }
  }
  return { tickets, drafts, files }
}

async function* oldDocuments(blobs: PublicationsDeps['blobs'], limitMs: number): AsyncGenerator<string[]> {
  let keys: string[] = []
  for await (const { key, modifiedMs } of blobs.list(DOCUMENTS_FOLDER)) {
    if (modifiedMs >= limitMs) continue
    keys.push(key)
    if (keys.length < BLOBS_AT_ONCE) continue
    yield keys
    keys = []
  }
  if (keys.length > 0) yield keys
}
