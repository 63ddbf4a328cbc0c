import type { Transaction } from 'kysely'
import { addMessage, forgetMessages, isMessageWanted } from '#platform/webhooks/outbox.ts'
import type { DocumentFacts } from './document-content.ts'
import { createPagesStore } from './pages-store.ts'
import { type Publication, selectPublications } from './publication-rows.ts'
import type { PublicationsTables } from './tables.ts'

/** The facts of a file that are part of a publication as its owner reads it. */
export type OwnerFacts = Pick<DocumentFacts, 'language' | 'detectedLanguage' | 'metadata' | 'findings'>

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
