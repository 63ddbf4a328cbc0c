import { publicationNotFound } from '../../errors.ts'
import type { OperatorDeps } from '../operator-deps.ts'

/** What the service knows a publication by that operators name by its id. @throws publicationNotFound */
export async function requirePublication(
  { library }: Pick<OperatorDeps, 'library'>,
  id: string,
): Promise<{ id: string; workspaceId: string; slug: string }> {
  const publication = await library.find(id)
  if (publication === undefined) throw publicationNotFound()
  // A slug stays its publication's also when another takes its place, so that it goes on to name it.
  return { id, workspaceId: publication.workspace_id, slug: publication.slug }
}
