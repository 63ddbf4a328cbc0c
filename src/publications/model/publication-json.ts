import type { Transaction } from 'kysely'
import { formatDateTime, momentOrNull } from '#platform/basics/time.ts'
import { addMessage, forgetMessages, isMessageWanted } from '#platform/webhooks/outbox.ts'
import type { Addresses } from './config.ts'
import type { DocumentFacts } from './document-content.ts'
import { createPagesStore } from './pages-store.ts'
import { type Publication, selectPublications } from './publication-rows.ts'
import { allowsDownload, isDraft, visibilityOf } from './reading.ts'
import { pageAddress, siteOf } from './sites.ts'
import { fileStatements, shownStatements, statementSources } from './statements.ts'
import type { PublicationsTables } from './tables.ts'

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

/** The facts of a file that are part of a publication as its owner reads it. */
type OwnerFacts = Pick<DocumentFacts, 'language' | 'detectedLanguage' | 'metadata' | 'findings'>

/** A publication after a change, from which the data of a message is made. */
export type PublicationDraft = {
  publication: Publication
  facts: OwnerFacts
  failedPages: { page: number; reason: string }[]
}

/** Tells webhooks of a change of a publication, within its transaction. Without any, nothing more is read. */
export async function announcePublication(
  transaction: Transaction<PublicationsTables>,
  type: (typeof PUBLICATION_EVENTS)[number],
  publicationId: string,
): Promise<void> {
  const owner = await transaction
    .selectFrom('publications')
    .select('workspace_id')
    .where('id', '=', publicationId)
    .executeTakeFirst()
  if (owner === undefined || !(await isMessageWanted(transaction, owner.workspace_id, type))) return
  const found = await selectPublications(transaction)
    .select('versions.facts')
    .where('publications.id', '=', publicationId)
    .executeTakeFirst()
  // Its workspace is being deleted.
  if (found === undefined) return
  const { facts, ...publication } = found
  // A message says only that there is one.
  if (publication.password_hash != null) publication.password_hash = ''
  const { language, detectedLanguage, metadata, findings }: DocumentFacts = JSON.parse(facts)
  const failedPages = await createPagesStore(transaction).listFailed(publication.version_id)
  const data: PublicationDraft = { publication, facts: { language, detectedLanguage, metadata, findings }, failedPages }
  await addMessage(transaction, {
    ownerId: publication.workspace_id,
    type,
    subjectId: publicationId,
    data,
    isDraft: true,
    timeMs: publication.updated_at,
  })
}

/** Tells webhooks that a publication is deleted, and removes its texts from their log. */
export async function announceDeletion(
  transaction: Transaction<PublicationsTables>,
  { workspaceId, id }: { workspaceId: string; id: string },
  timeMs: number,
): Promise<void> {
  await forgetMessages(transaction, workspaceId, id)
  const message = { ownerId: workspaceId, type: 'publication.deleted', subjectId: id, data: { id }, isDraft: false }
  await addMessage(transaction, { ...message, timeMs })
}

/** Types of the messages about publications that webhooks get. */
export const PUBLICATION_EVENTS = [
  'publication.ready',
  'publication.failed',
  'publication.unpublished',
  'publication.deleted',
] as const
