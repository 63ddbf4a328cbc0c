import { formatDateTime, momentOrNull } from '#platform/basics/time.ts'
import type { Addresses } from './config.ts'
import type { OwnerFacts } from './publication-messages.ts'
import type { Publication } from './publication-rows.ts'
import { allowsDownload, isDraft, visibilityOf } from './reading.ts'
import { pageAddress, siteOf } from './sites.ts'
import { fileStatements, shownStatements, statementSources } from './statements.ts'

/** A page that is shown as a placeholder. */
type FailedPage = { page: number; reason: string }

/** The parts of a publication that are not in its row. */
type PublicationDetails = { facts: OwnerFacts; failedPages: readonly FailedPage[] }

/** Returns a publication as an entry of a list. */
export function listedJson(publication: Publication, addresses: Addresses, nowMs: number) {
  const { id, slug, title, status, page_count, pages_ready, pages_recognized, size, failure, unpublished_at } =
    publication
  return {
    id,
    slug,
    title,
    status,
    page_count,
    pages_ready,
    pages_recognized: pages_recognized ?? 0,
    size,
    public_url: pageAddress(siteOf(addresses, publication.domain), slug),
    failure: failure === null ? null : (JSON.parse(failure) as { code: string; detail: string }),
    access: publication.access ?? 'public',
    visibility: visibilityOf(publication, nowMs),
    publish_at: momentOrNull(publication.publish_at ?? null),
    expires_at: momentOrNull(publication.expires_at ?? null),
    has_password: publication.password_hash != null,
    allow_download: allowsDownload(publication),
    first_view: publication.first_view ?? null,
    recognize_text: publication.recognize_text !== 0,
    collection_id: publication.collection_id ?? null,
    unpublished_at: unpublished_at === null || isDraft(publication) ? null : formatDateTime(unpublished_at),
    created_at: formatDateTime(publication.created_at),
    updated_at: formatDateTime(publication.updated_at),
  }
}

/** Returns a publication for its owner. */
export function publicationJson(
  publication: Publication,
  { facts, failedPages }: PublicationDetails,
  addresses: Addresses,
  nowMs: number,
) {
  return {
    ...listedJson(publication, addresses, nowMs),
    failed_pages: failedPages.map(({ page, reason }) => ({ page, reason })),
    ...shownStatements(publication, facts),
    findings: facts.findings,
    ...statementSources(publication),
    detected_language: facts.detectedLanguage ?? null,
    file_statements: fileStatements(facts),
  }
}
