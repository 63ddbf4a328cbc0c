import { type Kysely, sql } from 'kysely'
import { bytesType } from '#platform/database/column-types.ts'
import { createIdempotencyTable } from '#platform/database/idempotency.ts'

/** Everything that must be unique beyond a publication (keys, paths, slugs) has a table of its own. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await createWorkspaces(db)
  await createUploads(db)
  await createPublications(db)
  await createVersions(db)
  await createIdempotencyTable(db)
}

async function createWorkspaces(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('workspaces')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('name', 'text', (column) => column.notNull())
    .addColumn('created_at', 'bigint', (column) => column.notNull())
    .addColumn('deleted_at', 'bigint')
    .execute()
  await db.schema
    .createTable('api_keys')
    .addColumn('key_sha256', 'text', (column) => column.primaryKey())
    .addColumn('workspace_id', 'text', (column) => column.notNull())
    .addColumn('sealed', bytesType(db), (column) => column.notNull())
    .addColumn('created_at', 'bigint', (column) => column.notNull())
    .addColumn('expires_at', 'bigint')
    .execute()
  await db.schema.createIndex('api_keys_by_workspace').on('api_keys').column('workspace_id').execute()
}

async function createUploads(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('uploads')
    .addColumn('storage_key', 'text', (column) => column.primaryKey())
    .addColumn('workspace_id', 'text', (column) => column.notNull())
    .addColumn('path', 'text', (column) => column.notNull())
    .addColumn('created_at', 'bigint', (column) => column.notNull())
    .addColumn('expires_at', 'bigint', (column) => column.notNull())
    .addColumn('blob_key', 'text')
    .addColumn('size', 'bigint')
    .addColumn('sha256', 'text')
    .addColumn('uploaded_at', 'bigint')
    .addColumn('publication_id', 'text')
    .execute()
  await db.schema.createIndex('uploads_by_workspace').on('uploads').column('workspace_id').execute()
  await db.schema.createIndex('uploads_by_expiry').on('uploads').column('expires_at').execute()
  await db.schema.createIndex('uploads_by_publication').on('uploads').column('publication_id').execute()
  await db.schema.createIndex('uploads_by_blob').on('uploads').column('blob_key').execute()
  await db.schema
    .createTable('stored_paths')
    .addColumn('workspace_id', 'text', (column) => column.notNull())
    .addColumn('path', 'text', (column) => column.notNull())
    .addColumn('storage_key', 'text', (column) => column.notNull())
    .addPrimaryKeyConstraint('stored_paths_pk', ['workspace_id', 'path'])
    .execute()
}

async function createPublications(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('publications')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('workspace_id', 'text', (column) => column.notNull())
    .addColumn('slug', 'text', (column) => column.notNull())
    .addColumn('title', 'text', (column) => column.notNull())
    .addColumn('epoch', 'integer', (column) => column.notNull())
    .addColumn('unpublished_at', 'bigint')
    .addColumn('version_id', 'text', (column) => column.notNull())
    .addColumn('shown_version_id', 'text')
    .addColumn('created_at', 'bigint', (column) => column.notNull())
    .addColumn('updated_at', 'bigint', (column) => column.notNull())
    .addColumn('deleted_at', 'bigint')
    .execute()
  await db.schema
    .createIndex('publications_by_creation')
    .on('publications')
    .columns(['workspace_id', 'created_at', 'id'])
    .execute()
  // Only those whose deletion is under way are in it.
  await db.schema
    .createIndex('publications_to_delete')
    .on('publications')
    .column('id')
    .where(sql<boolean>`deleted_at is not null`)
    .execute()
  await db.schema
    .createTable('slugs')
    .addColumn('slug', 'text', (column) => column.primaryKey())
    .addColumn('workspace_id', 'text', (column) => column.notNull())
    .addColumn('publication_id', 'text')
    .execute()
  await db.schema.createIndex('slugs_by_publication').on('slugs').column('publication_id').execute()
}

async function createVersions(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('versions')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('publication_id', 'text', (column) => column.notNull())
    .addColumn('number', 'integer', (column) => column.notNull())
    .addColumn('storage_key', 'text', (column) => column.notNull())
    .addColumn('blob_key', 'text', (column) => column.notNull())
    .addColumn('size', 'bigint', (column) => column.notNull())
    .addColumn('sha256', 'text', (column) => column.notNull())
    .addColumn('page_count', 'integer', (column) => column.notNull())
    .addColumn('facts', 'text', (column) => column.notNull())
    .addColumn('status', 'text', (column) => column.notNull())
    .addColumn('pages_ready', 'integer', (column) => column.notNull())
    .addColumn('failure', 'text')
    .addColumn('has_work', 'integer', (column) => column.notNull())
    .addColumn('lease_owner', 'text')
    .addColumn('lease_until', 'bigint')
    .addColumn('attempts', 'integer', (column) => column.notNull())
    .addColumn('created_at', 'bigint', (column) => column.notNull())
    .addColumn('replaced_at', 'bigint')
    .execute()
  await db.schema
    .createIndex('versions_by_publication')
    .on('versions')
    .columns(['publication_id', 'number'])
    .unique()
    .execute()
  // Only versions with something to render are in it, so it stays small.
  await db.schema
    .createIndex('versions_to_render')
    .on('versions')
    .column('created_at')
    .where(sql<boolean>`has_work = 1`)
    .execute()
  await db.schema
    .createTable('pages')
    .addColumn('version_id', 'text', (column) => column.notNull())
    .addColumn('page', 'integer', (column) => column.notNull())
    .addColumn('images', 'text', (column) => column.notNull())
    .addColumn('is_complete', 'integer', (column) => column.notNull())
    .addColumn('failed_code', 'text')
    .addColumn('failed_reason', 'text')
    .addColumn('text', 'text', (column) => column.notNull())
    .addColumn('words', bytesType(db), (column) => column.notNull())
    .addPrimaryKeyConstraint('pages_pk', ['version_id', 'page'])
    .execute()
}
