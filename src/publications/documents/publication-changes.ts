import type { PublicationsDeps } from '../deps.ts'
import type { UploadReference } from '../schemas/publication.ts'
import type { Publication } from '../storage/publications-store.ts'
import { prepareFile } from './prepare-file.ts'

// What changes of a publication beyond its rows: what is delivered, rendered and removed follows.

/**
 * Withdraws a publication: readers get nothing of it from now on, also those who are waiting for something.
 * @throws publicationNotFound
 */
export async function withdrawPublication(
  { publications, deliveredFiles, versionChanges }: PublicationsDeps,
  workspaceId: string,
  slug: string,
): Promise<Publication> {
  const withdrawn = await publications.setPublished(workspaceId, slug, false)
  await deliveredFiles.announceChange(withdrawn.id)
  versionChanges.announce(withdrawn.version_id, undefined)
  return withdrawn
}

/** Deletes a publication; its files are removed in the background. @throws publicationNotFound */
export async function removePublication(
  { publications, deliveredFiles, remover }: PublicationsDeps,
  workspaceId: string,
  slug: string,
): Promise<void> {
  await deliveredFiles.announceChange(await publications.delete(workspaceId, slug))
  remover.wake()
}

/**
 * Gives a publication another file, which is opened before anything is changed.
 * @throws publicationNotFound, and what `prepareFile` throws
 */
export async function changeFile(
  deps: PublicationsDeps,
  workspaceId: string,
  slug: string,
  reference: UploadReference,
): Promise<Publication> {
  const { publications, renderQueue } = deps
  const current = await publications.getOwned(workspaceId, slug)
  const file = await prepareFile(deps, workspaceId, reference)
  const changed = await publications.replaceFile(workspaceId, current.slug, file)
  renderQueue.wake()
  return changed
}
