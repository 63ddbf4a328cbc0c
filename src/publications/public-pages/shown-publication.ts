import { publicationNotFound, publicationUnpublished } from '../errors.ts'
import type { PublicPageStore, ShownPublication } from '../storage/public-page-store.ts'

/**
 * Returns the publication that a current or former slug leads to.
 * @throws publicationNotFound, or publicationUnpublished while it is unpublished
 */
export async function getShownPublication(
  store: Pick<PublicPageStore, 'find'>,
  slug: string,
): Promise<ShownPublication> {
  const publication = await store.find(slug)
  if (publication === undefined) throw publicationNotFound()
  if (publication.is_unpublished) throw publicationUnpublished()
  return publication
}
