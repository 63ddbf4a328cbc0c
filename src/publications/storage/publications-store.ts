import type { Kysely, Transaction } from 'kysely'
import type { DocumentFacts } from '../domain/document-facts.ts'
import { publicationNotFound, publicationWithdrawn } from '../errors.ts'
import { createPublication, type NewPublication } from './create-publication.ts'
import { deletePublication } from './delete-publication.ts'
import { findBySlug, getById, type Publication, selectPublications } from './publication-rows.ts'
import { type NewFile, replaceFile } from './replace-file.ts'
import type { PublicationsTables } from './tables.ts'
import { type PublicationChange, setPublished, updatePublication } from './update-publication.ts'
import type { UploadsStore } from './uploads-store.ts'

export type { Publication } from './publication-rows.ts'

/**
 * Publications by any slug that they have or had; what is deleted is as unknown as what never was. What a workspace
 * changes has to be its own: another's is unknown, too.
 */
export type PublicationsStore = {
  /** @throws keyInvalid where the workspace is gone, uploadNotFound, uploadIsUsed */
  create(transaction: Transaction<PublicationsTables>, publication: NewPublication): Promise<Publication>
  findBySlug(slug: string): Promise<Publication | undefined>
  /** For readers. @throws publicationNotFound, publicationWithdrawn */
  getPublished(slug: string): Promise<Publication>
  /** For the owner. @throws publicationNotFound */
  getOwned(workspaceId: string, slug: string): Promise<Publication>
  /** Newest first by creation. */
  list(workspaceId: string): Promise<Publication[]>
  /** What the file of a version says of itself. @throws publicationNotFound where the version has been removed */
  facts(versionId: string): Promise<DocumentFacts>
  /** @throws publicationNotFound, slugIsTaken */
  update(workspaceId: string, slug: string, change: PublicationChange): Promise<Publication>
  /** Withdraws a publication, which ends every address signed so far, or publishes it again. @throws publicationNotFound */
  setPublished(workspaceId: string, slug: string, isPublished: boolean): Promise<Publication>
  /** Gives a publication another file. @throws publicationNotFound, uploadNotFound, uploadIsUsed */
  replaceFile(workspaceId: string, slug: string, file: NewFile): Promise<Publication>
  /** From now on it is gone; its rows and blobs are removed apart. @returns its id @throws publicationNotFound */
  delete(workspaceId: string, slug: string): Promise<string>
}

type Deps = { db: Kysely<PublicationsTables>; uploads: Pick<UploadsStore, 'removeOfPublication'>; now: () => number }

export function createPublicationsStore({ db, uploads, now }: Deps): PublicationsStore {
  return {
    create: (transaction, publication) => createPublication(transaction, publication, now()),
    findBySlug: (slug) => findBySlug(db, slug),

    async getPublished(slug) {
      const found = await findBySlug(db, slug)
      if (found === undefined) throw publicationNotFound()
      if (found.unpublished_at !== null) throw publicationWithdrawn()
      return found
    },

    async getOwned(workspaceId, slug) {
      const found = await findBySlug(db, slug)
      if (found === undefined || found.workspace_id !== workspaceId) throw publicationNotFound()
      return found
    },

    async list(workspaceId) {
      return await selectPublications(db)
        .where('publications.workspace_id', '=', workspaceId)
        .orderBy('publications.created_at', 'desc')
        .orderBy('publications.id', 'desc')
        .execute()
    },

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
