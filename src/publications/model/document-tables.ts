import { type Kysely, sql } from 'kysely'
import { bytesType } from '#platform/database/migrate.ts'

/** Creates the tables of uploads, of publications with their versions and pages, and of what readers do. */
export async function createDocumentTables(db: Kysely<unknown>): Promise<void> {
  await createUploads(db)
  await createPublications(db)
  await createVersions(db)
  await createPages(db)
  await createReaderLinks(db)
  await createFigures(db)
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
    .addColumn('upload_length', 'bigint')
    .addColumn('upload_offset', 'bigint')
    .addColumn('upload_writer', 'text')
    .addColumn('partial', 'text')
    .addColumn('resumable_until', 'bigint')
    .execute()
  await db.schema.createIndex('uploads_by_workspace').on('uploads').column('workspace_id').execute()
  await db.schema.createIndex('uploads_by_expiry').on('uploads').column('expires_at').execute()
  await db.schema.createIndex('uploads_by_publication').on('uploads').column('publication_id').execute()
  await db.schema.createIndex('uploads_by_blob').on('uploads').column('blob_key').execute()
  // Counts the tickets of a workspace that are outstanding.
  await db.schema
    .createIndex('uploads_outstanding')
    .on('uploads')
    .columns(['workspace_id', 'blob_key', 'expires_at'])
    .execute()
  await db.schema
    .createTable('stored_paths')
    .addColumn('workspace_id', 'text', (column) => column.notNull())
    .addColumn('path', 'text', (column) => column.notNull())
    .addColumn('storage_key', 'text', (column) => column.notNull())
    .addPrimaryKeyConstraint('stored_paths_pk', ['workspace_id', 'path'])
    .execute()
}

/** Creates publications, with the orders in which operators list ten thousand of them. */
async function createPublications(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('publications')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('workspace_id', 'text', (column) => column.notNull())
    .addColumn('slug', 'text', (column) => column.notNull())
    .addColumn('title', 'text', (column) => column.notNull())
    .addColumn('language', 'text')
    .addColumn('author', 'text')
    .addColumn('description', 'text')
    .addColumn('search_text', 'text')
    .addColumn('epoch', 'integer', (column) => column.notNull())
    .addColumn('unpublished_at', 'bigint')
    .addColumn('version_id', 'text', (column) => column.notNull())
    .addColumn('shown_version_id', 'text')
    .addColumn('created_at', 'bigint', (column) => column.notNull())
    .addColumn('updated_at', 'bigint', (column) => column.notNull())
    .addColumn('deleted_at', 'bigint')
    .addColumn('title_from_file', 'integer')
    .addColumn('author_from_file', 'integer')
    .addColumn('description_from_file', 'integer')
    .addColumn('access', 'text')
    .addColumn('published_at', 'bigint')
    .addColumn('allow_download', 'integer')
    .addColumn('shelf_position', 'integer')
    .addColumn('publish_at', 'bigint')
    .addColumn('expires_at', 'bigint')
    .addColumn('password_hash', 'text')
    .addColumn('first_view', 'text')
    .addColumn('collection_id', 'text')
    .addColumn('recognize_text', 'integer')
    .addColumn('binned_at', 'bigint')
    .execute()
  await db.schema
    .createIndex('publications_by_creation')
    .on('publications')
    .columns(['workspace_id', 'created_at', 'id'])
    .execute()
  await db.schema
    .createIndex('publications_by_change')
    .on('publications')
    .columns(['workspace_id', 'updated_at', 'id'])
    .execute()
  // Long texts are ordered by their beginning, because PostgreSQL has no room for them in an index.
  await sql`
    create index publications_by_title
    on publications (workspace_id, substr(coalesce(search_text, ''), 1, 60), id)`.execute(db)
  // Only publications that are being deleted are in it.
  await db.schema
    .createIndex('publications_to_delete')
    .on('publications')
    .column('id')
    .where(sql<boolean>`deleted_at is not null`)
    .execute()
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
    .addColumn('removed_at', 'bigint')
    .addColumn('pages_recognized', 'integer')
    .addColumn('recognized_at', 'bigint')
    .addColumn('text_size', 'bigint')
    .addColumn('text_sha256', 'text')
    .addColumn('content_form', 'integer')
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
    .createIndex('versions_to_recognize')
    .on('versions')
    .column('created_at')
    .where(sql<boolean>`recognized_at is null`)
    .execute()
  // Versions that were read in an earlier form are read again.
  await db.schema
    .createIndex('versions_to_reread')
    .on('versions')
    .column('created_at')
    .where(sql<boolean>`content_form is null`)
    .execute()
}

async function createPages(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('pages')
    .addColumn('version_id', 'text', (column) => column.notNull())
    .addColumn('page', 'integer', (column) => column.notNull())
    .addColumn('images', 'text', (column) => column.notNull())
    .addColumn('image_sums', 'text')
    .addColumn('is_complete', 'integer', (column) => column.notNull())
    .addColumn('failed_code', 'text')
    .addColumn('failed_reason', 'text')
    .addColumn('text', 'text', (column) => column.notNull())
    .addColumn('roles', 'text')
    .addColumn('words', bytesType(db), (column) => column.notNull())
    .addColumn('text_source', 'text')
    .addColumn('recognition_owner', 'text')
    .addColumn('recognition_until', 'bigint')
    .addColumn('recognition_attempts', 'integer')
    .addColumn('comments', 'text')
    .addPrimaryKeyConstraint('pages_pk', ['version_id', 'page'])
    .execute()
}

async function createReaderLinks(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('reader_links')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('publication_id', 'text', (column) => column.notNull())
    .addColumn('token_sha256', 'text', (column) => column.notNull())
    .addColumn('name', 'text')
    .addColumn('is_preview', 'integer', (column) => column.notNull())
    .addColumn('created_at', 'bigint', (column) => column.notNull())
    .addColumn('expires_at', 'bigint')
    .addColumn('password_hash', 'text')
    .addColumn('allow_download', 'integer')
    .execute()
  await db.schema
    .createIndex('reader_links_by_publication')
    .on('reader_links')
    .columns(['publication_id', 'created_at'])
    .execute()
}

/** Creates the reading figures. Days are text, `2026-05-03`, of UTC. */
async function createFigures(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('reading_figures')
    .addColumn('publication_id', 'text', (column) => column.notNull())
    .addColumn('kind', 'text', (column) => column.notNull())
    .addColumn('page', 'integer', (column) => column.notNull())
    .addColumn('day', 'text', (column) => column.notNull())
    .addColumn('amount', 'bigint', (column) => column.notNull())
    .addPrimaryKeyConstraint('reading_figures_pk', ['publication_id', 'kind', 'page', 'day'])
    .execute()
  await db.schema
    .createTable('day_readers')
    .addColumn('day', 'text', (column) => column.notNull())
    .addColumn('publication_id', 'text', (column) => column.notNull())
    .addColumn('reader', 'text', (column) => column.notNull())
    .addPrimaryKeyConstraint('day_readers_pk', ['day', 'publication_id', 'reader'])
    .execute()
  await db.schema
    .createTable('reader_salts')
    .addColumn('day', 'text', (column) => column.primaryKey())
    .addColumn('salt', bytesType(db), (column) => column.notNull())
    .execute()
}
