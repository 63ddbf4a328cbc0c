import { randomUUID } from 'node:crypto'
import type { Transaction } from 'kysely'
import type { DocumentFacts } from '../domain/document-facts.ts'
import { searchText } from '../domain/search-text.ts'
import { slugOf } from '../domain/slug.ts'
import { keyInvalid, publicationsQuotaReached } from '../errors.ts'
import { claimUpload } from './claim-upload.ts'
import { newVersion } from './new-version.ts'
import { getById, type Publication } from './publication-rows.ts'
import type { PublicationsTables } from './tables.ts'
import { takeNumberedSlug } from './take-slug.ts'
import { hasRoomForPublication, lockQuotas } from './workspaces-store.ts'

/** The input of a new publication. */
export type PublicationCreate = {
  workspaceId: string
  title: string
  storageKey: string
  facts: DocumentFacts
  /** True for a publication that is not public before it is published. */
  isDraft?: boolean
}

/**
 * Creates a publication from an upload, with the status `processing`.
 * @throws keyInvalid if the workspace is gone, publicationsQuotaReached, and the errors of `claimUpload`
 */
export async function createPublication(
  transaction: Transaction<PublicationsTables>,
  { workspaceId, title, storageKey, facts, isDraft = false }: PublicationCreate,
  nowMs: number,
): Promise<Publication> {
  await requireWorkspace(transaction, workspaceId)
  const id = randomUUID()
  const upload = await claimUpload(transaction, storageKey, id)
  const slug = await takeNumberedSlug(transaction, slugOf(title), { workspaceId, publicationId: id })
  const version = newVersion(upload, facts, { publicationId: id, number: 1, nowMs })
  await transaction.insertInto('versions').values(version).execute()
  await transaction
    .insertInto('publications')
    .values({
      id,
      workspace_id: workspaceId,
      slug,
      title,
      epoch: 0,
      unpublished_at: isDraft ? nowMs : null,
      version_id: version.id,
      shown_version_id: null,
      created_at: nowMs,
      updated_at: nowMs,
      deleted_at: null,
      search_text: searchText(title, slug),
    })
    .execute()
  return await getById(transaction, id)
}

/** Refuses a workspace that is being deleted or has reached its limit. */
async function requireWorkspace(transaction: Transaction<PublicationsTables>, workspaceId: string): Promise<void> {
  const quotas = await lockQuotas(transaction, workspaceId)
  if (quotas === undefined) throw keyInvalid()
  if (!(await hasRoomForPublication(transaction, quotas))) throw publicationsQuotaReached()
}
