import { type Kysely, sql } from 'kysely'
import { inTransaction } from '#platform/database/transaction.ts'
import { deleteWebhooksOf } from '#platform/webhooks/endpoints-store.ts'
import { forgetAnswers } from '../model/bin-store.ts'
import { forgetFigures } from '../model/reader-links.ts'
import type { PublicationsTables } from '../model/tables.ts'
import { freePaths } from '../model/uploads-store.ts'

/** A version to be removed, with the keys of its file. */
export type RemovableVersion = { id: string; blobKey: string; storageKey: string }

/**
 * The remains of deleted publications and workspaces, and of replaced files. Every step can be repeated, also by
 * another instance; a row is removed after everything that it refers to.
 */
export type RemovalStore = ReturnType<typeof createRemovalStore>

const PUBLICATIONS_PER_BATCH = 100

/** Literal conditions of the index of deletions, which is not used with a parameter in its place. */
const isDeleted = sql<boolean>`deleted_at is not null`
const isForGood = sql<boolean>`deleted_at is not null and binned_at is null`

export function createRemovalStore(db: Kysely<PublicationsTables>) {
  return {
    /** Returns a batch of publications deleted for good, with ids after `afterId`; `''` begins with the first. */
    async deletedPublications(afterId: string): Promise<{ id: string; deletedAtMs: number }[]> {
      const rows = await db
        .selectFrom('publications')
        .select(['id', 'deleted_at'])
        .where(isForGood)
        .where('id', '>', afterId)
        .orderBy('id')
        .limit(PUBLICATIONS_PER_BATCH)
        .execute()
      return rows.map(({ id, deleted_at }) => ({ id, deletedAtMs: deleted_at! }))
    },

    async versionsOf(publicationId: string): Promise<RemovableVersion[]> {
      return await selectVersions(db).where('versions.publication_id', '=', publicationId).execute()
    },

    /**
     * Begins the removal of versions that a later one, ready since before this time, has replaced for readers, except
     * for the newest `kept` former ones of each publication.
     */
    async discardReplaced(readyBeforeMs: number, kept: number, nowMs: number): Promise<void> {
      for (const version of await findReplaced(db, readyBeforeMs, kept)) await discard(db, version, nowMs)
    },

    /** Returns versions whose removal has begun, and which no page of theirs can reach any more. */
    discardedVersions: (renderedBeforeMs: number) => findDiscarded(db, renderedBeforeMs),
    /** Removes a version with its pages and its upload, whose path becomes free. */
    removeVersion: (version: RemovableVersion) => removeVersion(db, version),

    /** Removes a publication with its reading figures and reader links. */
    async removePublication(id: string): Promise<void> {
      const links = await db.selectFrom('reader_links').select('id').where('publication_id', '=', id).execute()
      await forgetFigures(db, [id, ...links.map((link) => link.id)])
      await db.deleteFrom('reader_links').where('publication_id', '=', id).execute()
      await db.deleteFrom('publications').where('id', '=', id).where(isDeleted).execute()
    },

    /** Marks all publications of an ended workspace as deleted for good, those in its bin, too. */
    async deletePublicationsOf(workspaceId: string, nowMs: number): Promise<void> {
      await inTransaction(db, async (transaction) => {
        const rows = await transaction
          .updateTable('publications')
          .set({ deleted_at: nowMs, binned_at: null })
          .where('workspace_id', '=', workspaceId)
          .where((where) => where.or([where('deleted_at', 'is', null), where('binned_at', 'is not', null)]))
          .returning('id')
          .execute()
        if (rows.length === 0) return
        await transaction
          .updateTable('versions')
          .set({ has_work: 0 })
          .where('publication_id', 'in', (select) =>
            select.selectFrom('publications').select('id').where('workspace_id', '=', workspaceId),
          )
          .execute()
        await transaction
          .updateTable('slugs')
          .set({ publication_id: null })
          .where('workspace_id', '=', workspaceId)
          .execute()
      })
    },

    /** Returns the blobs of a workspace's uploads. */
    async uploadedBlobs(workspaceId: string): Promise<string[]> {
      const rows = await db.selectFrom('uploads').select('blob_key').where('workspace_id', '=', workspaceId).execute()
      return rows.flatMap(({ blob_key }) => blob_key ?? [])
    },

    async hasPublications(workspaceId: string): Promise<boolean> {
      const query = db.selectFrom('publications').select('id').where('workspace_id', '=', workspaceId)
      return (await query.limit(1).executeTakeFirst()) !== undefined
    },

    /**
     * Removes a workspace with its uploads, its public face, its host name and its collections. The slugs of its shelf
     * stay taken, so that no old address leads to another workspace.
     */
    async removeWorkspace(id: string): Promise<void> {
      await db.deleteFrom('workspace_domains').where('workspace_id', '=', id).execute()
      await db.deleteFrom('workspace_faces').where('workspace_id', '=', id).execute()
      await db.deleteFrom('collection_slugs').where('workspace_id', '=', id).execute()
      await db.deleteFrom('collections').where('workspace_id', '=', id).execute()
      await db.deleteFrom('stored_paths').where('workspace_id', '=', id).execute()
      await db.deleteFrom('uploads').where('workspace_id', '=', id).execute()
      await db.deleteFrom('idempotency_keys').where('owner_id', '=', id).execute()
      await inTransaction(db, (transaction) => deleteWebhooksOf(transaction, id))
      await db.deleteFrom('workspaces').where('id', '=', id).where(isDeleted).execute()
    },
  }
}

/** Begins the removal of a version, unless its publication has gone back to it meanwhile. */
async function discard(
  db: Kysely<PublicationsTables>,
  { id, publicationId }: { id: string; publicationId: string },
  nowMs: number,
): Promise<void> {
  await inTransaction(db, async (transaction) => {
    const publication = await transaction
      .selectFrom('publications')
      .select(['version_id', 'shown_version_id'])
      .where('id', '=', publicationId)
      .forUpdate()
      .executeTakeFirst()
    if (publication === undefined || Object.values(publication).includes(id)) return
    await transaction.updateTable('versions').set({ removed_at: nowMs, has_work: 0 }).where('id', '=', id).execute()
  })
}

/** A version that is being rendered has a lease; pages of it may be stored until that ends. */
async function findDiscarded(db: Kysely<PublicationsTables>, renderedBeforeMs: number): Promise<RemovableVersion[]> {
  return await selectVersions(db)
    .where('versions.removed_at', 'is not', null)
    .where((or) => or.or([or('versions.lease_until', 'is', null), or('versions.lease_until', '<=', renderedBeforeMs)]))
    .execute()
}

function selectVersions(db: Kysely<PublicationsTables>) {
  return db
    .selectFrom('versions')
    .select(['versions.id', 'versions.blob_key as blobKey', 'versions.storage_key as storageKey'])
}

/**
 * The time at which a version became ready is not stored. A version that was itself replaced was ready by then, and the
 * latest by the last change of its publication. The version that readers see is never returned.
 */
async function findReplaced(
  db: Kysely<PublicationsTables>,
  readyBeforeMs: number,
  kept: number,
): Promise<{ id: string; publicationId: string }[]> {
  return await db
    .selectFrom('versions')
    .select(['versions.id', 'versions.publication_id as publicationId'])
    .innerJoin('publications', 'publications.id', 'versions.publication_id')
    .where('versions.replaced_at', 'is not', null)
    .where('versions.removed_at', 'is', null)
    .where('publications.deleted_at', 'is', null)
    .where(
      (where) =>
        where
          .selectFrom('versions as newer')
          .select(({ fn }) => fn.countAll<number>().as('count'))
          .whereRef('newer.publication_id', '=', 'versions.publication_id')
          .whereRef('newer.number', '>', 'versions.number')
          .where('newer.replaced_at', 'is not', null)
          .where('newer.removed_at', 'is', null),
      '>=',
      kept,
    )
    .where((or) =>
      or.or([
        or('publications.shown_version_id', 'is', null),
        or('publications.shown_version_id', '!=', or.ref('versions.id')),
      ]),
    )
    .where(({ exists, selectFrom }) =>
      exists(
        selectFrom('versions as later')
          .select('later.id')
          .whereRef('later.publication_id', '=', 'versions.publication_id')
          .whereRef('later.number', '>', 'versions.number')
          .where('later.status', '=', 'ready')
          .where((or) =>
            or.or([
              or('later.replaced_at', '<=', readyBeforeMs),
              or.and([or('later.replaced_at', 'is', null), or('publications.updated_at', '<=', readyBeforeMs)]),
            ]),
          ),
      ),
    )
    .execute()
}

async function removeVersion(db: Kysely<PublicationsTables>, { id, storageKey }: RemovableVersion): Promise<void> {
  await inTransaction(db, async (transaction) => {
    await transaction.deleteFrom('pages').where('version_id', '=', id).execute()
    await transaction.deleteFrom('versions').where('id', '=', id).execute()
    const upload = await transaction
      .deleteFrom('uploads')
      .where('storage_key', '=', storageKey)
      .returning(['workspace_id', 'path', 'storage_key'])
      .executeTakeFirst()
    if (upload === undefined) return
    await forgetAnswers(transaction, upload.workspace_id, [storageKey])
    await freePaths(transaction, [upload])
  })
}
