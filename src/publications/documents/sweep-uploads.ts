import type { BlobStore } from '#platform/blobs/blob-store.ts'
import { DOCUMENTS_FOLDER } from '../model/files-store.ts'
import type { DocumentsDeps } from './documents-deps.ts'

const DAY_MS = 24 * 3_600_000
/** A program may upload files and publish them days later. */
const UNPUBLISHED_KEPT_MS = 7 * DAY_MS
/** Blobs that one query looks up. */
const BLOBS_PER_QUERY = 500

/**
 * Removes the remains of failed uploads: unused tickets, drafts of uploads that a crash interrupted, files that were
 * stored and never acknowledged, and files of which no publication was made within a week. Anything younger
 * than a day is left alone, so that uploads in progress are safe. The next sweep continues an interrupted
 * one; several instances may sweep at once.
 */
export async function sweepUploads({
  blobs,
  uploads,
  now,
}: DocumentsDeps): Promise<{ tickets: number; drafts: number; files: number }> {
  const limitMs = now() - DAY_MS
  const unpublishedBeforeMs = now() - UNPUBLISHED_KEPT_MS
  const tickets = await uploads.removeExpired({ unusedBeforeMs: limitMs, unpublishedBeforeMs })
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

async function* oldDocuments(blobs: BlobStore, limitMs: number): AsyncGenerator<string[]> {
  let keys: string[] = []
  for await (const { key, modifiedMs } of blobs.list(DOCUMENTS_FOLDER)) {
    if (modifiedMs >= limitMs) continue
    keys.push(key)
    if (keys.length < BLOBS_PER_QUERY) continue
    yield keys
    keys = []
  }
  if (keys.length > 0) yield keys
}
