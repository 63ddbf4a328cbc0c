import type { Kysely, Transaction } from 'kysely'
import type { DocumentFacts } from '../domain/document-facts.ts'
import { publicationNotFound, publicationUnpublished } from '../errors.ts'
import { createPublication, type PublicationCreate } from './create-publication.ts'
import { deletePublication } from './delete-publication.ts'
import { findBySlug, getById, type Publication, selectPublications } from './publication-rows.ts'
import { type NewFile, replaceFile } from './replace-file.ts'
import type { PublicationsTables } from './tables.ts'
import { type PublicationUpdate, setPublished, updatePublication } from './update-publication.ts'
import type { UploadsStore } from './uploads-store.ts'

export type { Publication } from './publication-rows.ts'

/**
 * Publications, found by their current and former slugs. Deleted ones are not found, and changes do not find those of
 * another workspace.
 */
export type PublicationsStore = {
  /** @throws keyInvalid if the workspace is gone, uploadNotFound, uploadIsUsed */
  create(transaction: Transaction<PublicationsTables>, publication: PublicationCreate): Promise<Publication>
  /** Returns a publication for readers. @throws publicationNotFound, publicationUnpublished */
  getPublished(slug: string): Promise<Publication>
  /** Returns a publication for its owner. @throws publicationNotFound */
  getOwned(workspaceId: string, slug: string): Promise<Publication>
  /** Returns publications of a workspace, newest first, from the one that follows `after`. */
  list(
    workspaceId: string,
    after: Pick<Publication, 'created_at' | 'id'> | undefined,
    limit: number,
  ): Promise<Publication[]>
  /** Returns the facts of a version's file. @throws publicationNotFound if the version has been removed */
  facts(versionId: string): Promise<DocumentFacts>
  /** @throws publicationNotFound, slugIsTaken */
  update(workspaceId: string, slug: string, change: PublicationUpdate): Promise<Publication>
  /** Publishes a publication, or unpublishes it, which ends every address issued so far. @throws publicationNotFound */
  setPublished(workspaceId: string, slug: string, isPublished: boolean): Promise<Publication>
  /** Replaces the file of a publication. @throws publicationNotFound, uploadNotFound, uploadIsUsed */
  replaceFile(workspaceId: string, slug: string, file: NewFile): Promise<Publication>
  /** Deletes a publication; its rows and blobs are removed separately. @returns its id @throws publicationNotFound */
  delete(workspaceId: string, slug: string): Promise<string>
}

type Deps = { db: Kysely<PublicationsTables>; uploads: Pick<UploadsStore, 'removeOfPublication'>; now: () => number }

export function createPublicationsStore({ db, uploads, now }: Deps): PublicationsStore {
  return {
    create: (transaction, publication) => createPublication(transaction, publication, now()),

    async getPublished(slug) {
      const found = await findBySlug(db, slug)
      if (found === undefined) throw publicationNotFound()
      if (found.unpublished_at !== null) throw publicationUnpublished()
      return found
    },

    async getOwned(workspaceId, slug) {
      const found = await findBySlug(db, slug)
      if (found === undefined || found.workspace_id !== workspaceId) throw publicationNotFound()
      return found
    },

    list: (workspaceId, after, limit) => listPublications(db, workspaceId, after, limit),

    async facts(versionId) {
      const row = await db.selectFrom('versions').select('facts').where('id', '=', versionId).executeTakeFirst()
      if (row === undefined) throw publicationNotFound()
      return JSON.parse(row.facts)
    },

    async update(workspaceId, slug, change) {
      return await getById(db, await updatePublication(db, { workspaceId, slug }, change, now()))
    },
    async setPublished(workspaceId, slug, isPublished) {
      return await getById(db, await setPublished(db, { workspaceId, slug }, isPublished, now()))
    },
    async replaceFile(workspaceId, slug, file) {
      return await getById(db, await replaceFile(db, { workspaceId, slug }, file, now()))
    },
    delete: (workspaceId, slug) => deletePublication(db, uploads, { workspaceId, slug }, now()),
  }
}

async function listPublications(
  db: Kysely<PublicationsTables>,
  workspaceId: string,
  after: Pick<Publication, 'created_at' | 'id'> | undefined,
  limit: number,
): Promise<Publication[]> {
  let query = selectPublications(db).where('publications.workspace_id', '=', workspaceId)
  if (after !== undefined) {
    // The first condition follows from the second; with it the index scan begins at the position.
    query = query
      .where('publications.created_at', '<=', after.created_at)
      .where((or) =>
        or.or([or('publications.created_at', '<', after.created_at), or('publications.id', '<', after.id)]),
      )
  }
  return await query
    .orderBy('publications.created_at', 'desc')
    .orderBy('publications.id', 'desc')
    .limit(limit)
    .execute()
}
