import { randomUUID } from 'node:crypto'
import type { Kysely, Transaction } from 'kysely'
import { deletePublication } from './bin-store.ts'
import { holdCollection } from './collections-store.ts'
import type { DocumentFacts } from './document-content.ts'
import { keyInvalid, publicationNotFound, publicationsQuotaReached } from './errors.ts'
import { type FirstView, searchText, titleFromFile } from './fields.ts'
import {
  NO_SCHEDULE,
  type PublicationUpdate,
  type Schedule,
  scheduleAfter,
  setPublished,
  switchAfter,
  updatePublication,
} from './publication-edits.ts'
import { findBySlug, getById, type Publication, takeNumberedSlug } from './publication-rows.ts'
import {
  claimUpload,
  discardVersion,
  goBack,
  listVersions,
  type NewFile,
  newVersion,
  replaceFile,
} from './publication-versions.ts'
import { type Access, type Opened, type Reader, requireReadable } from './reading.ts'
import { slugOf } from './slug.ts'
import { changedStatements, NO_STATEMENTS, type StatementChanges } from './statements.ts'
import type { PublicationsTables } from './tables.ts'
import type { UploadsStore } from './uploads-store.ts'
import { hasRoomForPublication, lockQuotas } from './workspaces-store.ts'

/**
 * Publications, found by their current and former slugs. Deleted ones are not found, and changes do not find
 * publications of another workspace.
 */
export type PublicationsStore = ReturnType<typeof createPublicationsStore>

export function createPublicationsStore(db: Kysely<PublicationsTables>, uploads: UploadsStore, now: () => number) {
  return {
    /** @throws keyInvalid if the workspace is gone, uploadNotFound, uploadIsUsed */
    create: (transaction: Transaction<PublicationsTables>, publication: PublicationCreate) =>
      createPublication(transaction, publication, now()),

    /** Returns a publication for readers. @throws publicationNotFound, publicationUnpublished */
    async getPublished(slug: string, reader: Reader): Promise<Publication & Opened> {
      const found = await findBySlug(db, slug)
      const opened = await requireReadable(found?.id, found, reader)
      return { ...found!, ...opened }
    },

    /** Returns a publication for its owner. @throws publicationNotFound */
    async getOwned(workspaceId: string, slug: string): Promise<Publication> {
      const found = await findBySlug(db, slug)
      if (found === undefined || found.workspace_id !== workspaceId) throw publicationNotFound()
      return found
    },

    /** Returns the facts of a version's file. @throws publicationNotFound if the version has been removed */
    async facts(versionId: string): Promise<DocumentFacts> {
      const row = await db.selectFrom('versions').select('facts').where('id', '=', versionId).executeTakeFirst()
      if (row === undefined) throw publicationNotFound()
      return JSON.parse(row.facts)
    },

    /** @throws publicationNotFound, slugIsTaken */
    async update(workspaceId: string, slug: string, change: PublicationUpdate): Promise<Publication> {
      return await getById(db, await updatePublication(db, { workspaceId, slug }, change, now()))
    },
    /**
     * Publishes a publication, or unpublishes it, which ends every address issued so far. @throws publicationNotFound
     */
    async setPublished(workspaceId: string, slug: string, isPublished: boolean): Promise<Publication> {
      return await getById(db, await setPublished(db, { workspaceId, slug }, isPublished, now()))
    },
    /** Replaces the file of a publication. @throws publicationNotFound, uploadNotFound, uploadIsUsed */
    async replaceFile(workspaceId: string, slug: string, file: NewFile): Promise<Publication> {
      return await getById(db, await replaceFile(db, { workspaceId, slug }, file, now()))
    },
    /** Goes back to a former version. @throws publicationNotFound, versionNotFound */
    async goBack(workspaceId: string, slug: string, versionId: string): Promise<Publication> {
      return await getById(db, await goBack(db, { workspaceId, slug }, versionId, now()))
    },
    /** Begins the removal of a former version. @throws publicationNotFound, versionNotFound, versionIsInUse */
    discardVersion: (workspaceId: string, slug: string, versionId: string) =>
      discardVersion(db, { workspaceId, slug }, versionId, now()),
    versions: (id: string) => listVersions(db, id),
    /**
     * Deletes a publication, or puts it into the bin. Rows and blobs are removed separately.
     * @returns its id
     * @throws publicationNotFound
     */
    delete: (workspaceId: string, slug: string, { toBin }: { toBin: boolean } = { toBin: false }) =>
      deletePublication(db, uploads, { workspaceId, slug, toBin }, now()),
  }
}

/** The input of a new publication. */
type PublicationCreate = {
  workspaceId: string
  title: string
  storageKey: string
  facts: DocumentFacts
  /** True for a publication that is not public before it is published. */
  isDraft?: boolean
  access?: Access | null
  allowDownload?: boolean | null
  firstView?: FirstView | null
  recognizeText?: boolean | null
  collectionId?: string | null
  schedule?: Schedule
  passwordHash?: string | null
  statements?: StatementChanges & { title_from_file?: boolean | null }
}

/**
 * Creates a publication from an upload, with the status `processing`.
 * @throws keyInvalid if the workspace is gone, publicationsQuotaReached, badRequest for an unknown collection, and the
 * errors of `claimUpload`
 */
async function createPublication(
  transaction: Transaction<PublicationsTables>,
  {
    workspaceId,
    title: given,
    storageKey,
    facts,
    isDraft = false,
    access = null,
    allowDownload,
    firstView = null,
    recognizeText,
    collectionId = null,
    schedule = {},
    passwordHash = null,
    statements = {},
  }: PublicationCreate,
  nowMs: number,
): Promise<Publication> {
  await requireWorkspace(transaction, workspaceId)
  await holdCollection(transaction, workspaceId, collectionId)
  const id = randomUUID()
  const upload = await claimUpload(transaction, storageKey, id)
  const isTitleOfFile = statements.title_from_file === true
  const title = isTitleOfFile ? titleFromFile(facts.metadata?.title, given) : given
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
      title_from_file: isTitleOfFile ? 1 : null,
      ...changedStatements(NO_STATEMENTS, statements),
      access: access === 'public' ? null : access,
      password_hash: passwordHash,
      allow_download: switchAfter(allowDownload, null),
      first_view: firstView,
      recognize_text: switchAfter(recognizeText, null),
      collection_id: collectionId,
      epoch: 0,
      unpublished_at: isDraft ? nowMs : null,
      ...scheduleAfter(NO_SCHEDULE, schedule),
      published_at: isDraft ? null : Math.max(nowMs, schedule.publish_at ?? 0),
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
