import { publicationNotFound } from '../../errors.ts'
import type { LibraryStore } from '../../storage/library/library-store.ts'

export type RequirePublicationDeps = { library: Pick<LibraryStore, 'find'> }

/** Finds the workspace and the slug of a publication by its id. @throws publicationNotFound */
export async function requirePublication(
  { library }: RequirePublicationDeps,
  id: string,
): Promise<{ id: string; workspaceId: string; slug: string }> {
  const publication = await library.find(id)
  if (publication === undefined) throw publicationNotFound()
  // The slug identifies the publication even if it is changed meanwhile, because former slugs are never given away.
  return { id, workspaceId: publication.workspace_id, slug: publication.slug }
}
