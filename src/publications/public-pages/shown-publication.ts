import { publicationNotFound, publicationWithdrawn } from '../errors.ts'
import type { PublicPageStore, ShownPublication } from '../storage/public-page-store.ts'

/**
 * The publication that a slug, its own or a former one, leads readers to.
 * @throws publicationNotFound, or publicationWithdrawn while it is unpublished
 */
export async function getShownPublication(store: PublicPageStore, slug: string): Promise<ShownPublication> {
  const publication = await store.find(slug)
  if (publication === undefined) throw publicationNotFound()
  if (publication.is_unpublished) throw publicationWithdrawn()
  return publication
}
