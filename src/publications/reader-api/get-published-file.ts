import { publicationNotFound, publicationUnpublished } from '../errors.ts'
import type { FilesStore, VersionFile } from '../storage/files-store.ts'

/**
 * Returns the latest file of a published publication, found by its slug or a former one.
 * @throws publicationNotFound, publicationUnpublished
 */
export async function getPublishedFile(files: Pick<FilesStore, 'findBySlug'>, slug: string): Promise<VersionFile> {
  const file = await files.findBySlug(slug)
  if (file === undefined) throw publicationNotFound()
  if (file.unpublishedAtMs !== null) throw publicationUnpublished()
  return file
}
