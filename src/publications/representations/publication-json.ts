import { formatDateTime } from '#platform/time/date-time.ts'
import type { Addresses, PublicationsDeps } from '../deps.ts'
import type { DocumentFacts } from '../domain/document-facts.ts'
import type { Publication } from '../storage/publications-store.ts'

/** A page that stands as a placeholder. */
export type FailedPage = { page: number; reason: string }

/** What there is to tell beside a publication's row. */
export type PublicationDetails = { facts: DocumentFacts; failedPages: readonly FailedPage[] }

/** A publication as an entry of a list. */
export function listedJson(publication: Publication, addresses: Addresses) {
  const { id, slug, title, status, page_count, pages_ready, size, failure, unpublished_at } = publication
  return {
    id,
    slug,
    title,
    status: status as 'processing' | 'ready' | 'failed',
    page_count,
    pages_ready,
    size,
    public_url: `${addresses.public()}/p/${slug}`,
    failure: failure === null ? null : (JSON.parse(failure) as { code: string; detail: string }),
    unpublished_at: unpublished_at === null ? null : formatDateTime(unpublished_at),
    created_at: formatDateTime(publication.created_at),
    updated_at: formatDateTime(publication.updated_at),
  }
}

/** A publication as its owner reads it. */
export function publicationJson(
  publication: Publication,
  { facts, failedPages }: PublicationDetails,
  addresses: Addresses,
) {
  return {
    ...listedJson(publication, addresses),
    failed_pages: failedPages.map(({ page, reason }) => ({ page, reason })),
    language: facts.language ?? null,
    findings: facts.findings,
  }
}

/** A publication as its owner reads it, with what is not yet at hand. @throws publicationNotFound where it is gone */
export async function ownerJson(
  { publications, pages, addresses }: Pick<PublicationsDeps, 'publications' | 'pages' | 'addresses'>,
  publication: Publication,
) {
  const facts = await publications.facts(publication.version_id)
  const failedPages = await pages.listFailed(publication.version_id)
  return publicationJson(publication, { facts, failedPages }, addresses)
}
