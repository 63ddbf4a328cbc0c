import { publicationNotFound, publicationWithdrawn } from '../errors.ts'
import type { ReadableFile, ReadingStore } from '../storage/reading-store.ts'

/**
 * The latest file of a publication that anyone may read, by its slug or a former one.
 * @throws publicationNotFound, publicationWithdrawn
 */
export async function getPublishedFile(reading: ReadingStore, slug: string): Promise<ReadableFile> {
  const file = await reading.findBySlug(slug)
  if (file === undefined) throw publicationNotFound()
  if (file.unpublishedAtMs !== null) throw publicationWithdrawn()
  return file
}
