import type { DeliveredFiles } from '../delivery/delivered-files.ts'
import type { RenderQueue } from '../rendering/jobs/render-queue.ts'
import type { VersionChanges } from '../rendering/jobs/version-changes.ts'
import type { FileReplace } from '../schemas/publication.ts'
import type { Publication, PublicationsStore } from '../storage/publications-store.ts'
import type { DeletionWorker } from './deletion-worker.ts'
import type { PrepareFile } from './prepare-file.ts'

/** Changes to a publication that go beyond its rows: delivery, rendering and deletion follow. */
export type PublicationChanges = {
  /**
   * Unpublishes a publication: readers are refused from now on, including those that are waiting for a page.
   * @throws publicationNotFound
   */
  unpublish(workspaceId: string, slug: string): Promise<Publication>
  /** Deletes a publication; its files are removed in the background. @throws publicationNotFound */
  delete(workspaceId: string, slug: string): Promise<void>
  /**
   * Replaces the file of a publication. The new file is opened before anything is changed.
   * @throws publicationNotFound, and errors of `PrepareFile`
   */
  replaceFile(workspaceId: string, slug: string, reference: FileReplace): Promise<Publication>
}

type Deps = {
  publications: Pick<PublicationsStore, 'setPublished' | 'delete' | 'getOwned' | 'replaceFile'>
  prepareFile: PrepareFile
  renderQueue: Pick<RenderQueue, 'wake'>
  versionChanges: Pick<VersionChanges, 'announce'>
  deliveredFiles: Pick<DeliveredFiles, 'announceChange'>
  deletionWorker: Pick<DeletionWorker, 'wake'>
}

export function createPublicationChanges(deps: Deps): PublicationChanges {
  const { publications, prepareFile, renderQueue, versionChanges, deliveredFiles, deletionWorker } = deps
  return {
    async unpublish(workspaceId, slug) {
      const unpublished = await publications.setPublished(workspaceId, slug, false)
      await deliveredFiles.announceChange(unpublished.id)
      versionChanges.announce(unpublished.version_id, undefined)
      return unpublished
    },

    async delete(workspaceId, slug) {
      await deliveredFiles.announceChange(await publications.delete(workspaceId, slug))
      deletionWorker.wake()
    },

    async replaceFile(workspaceId, slug, reference) {
      const current = await publications.getOwned(workspaceId, slug)
      const file = await prepareFile(workspaceId, reference)
      const changed = await publications.replaceFile(workspaceId, current.slug, file)
      renderQueue.wake()
      return changed
    },
  }
}
