import { type Kysely, sql } from 'kysely'
import type { Migration } from '#platform/database/migrate.ts'
import { createFirstTables } from './first-tables.ts'
import { addFaceContact, createCollections, createFaces } from './shelf-tables.ts'

/**
 * Adds which statements are to be taken from the file. An author or a description that an earlier version took from it
 * unasked is no longer shown; what a publisher stated stays.
 */
async function addStatementSources(db: Kysely<unknown>): Promise<void> {
  for (const column of ['title_from_file', 'author_from_file', 'description_from_file'])
    await db.schema.alterTable('publications').addColumn(column, 'integer').execute()
}

/** Adds who may read a publication; null is everyone. */
async function addAccess(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('publications').addColumn('access', 'text').execute()
}

/**
 * Adds the time of the first publication, which drafts lack. What was created as a draft has never been unpublished,
 * which would have begun another epoch.
 */
async function addFirstPublication(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('publications').addColumn('published_at', 'bigint').execute()
  await sql`update publications set published_at = created_at where unpublished_at is null or epoch > 0`.execute(db)
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
    .execute()
  await db.schema
    .createIndex('reader_links_by_publication')
    .on('reader_links')
    .columns(['publication_id', 'created_at'])
    .execute()
}

/** Adds whether readers get the PDF; null is yes. */
async function addAllowDownload(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('publications').addColumn('allow_download', 'integer').execute()
}

/** Adds the times between which a publication is read; null for none. */
async function addSchedule(db: Kysely<unknown>): Promise<void> {
  for (const column of ['publish_at', 'expires_at'])
    await db.schema.alterTable('publications').addColumn(column, 'bigint').execute()
}

/** Adds passwords of publications and reader links, and the wrong ones that were tried. */
async function addPasswords(db: Kysely<unknown>): Promise<void> {
  for (const table of ['publications', 'reader_links'])
    await db.schema.alterTable(table).addColumn('password_hash', 'text').execute()
  await db.schema
    .createTable('sign_in_failures')
    .addColumn('caller_sha256', 'text', (column) => column.primaryKey())
    .addColumn('count', 'integer', (column) => column.notNull())
    .addColumn('last_at', 'bigint', (column) => column.notNull())
    .execute()
  await db.schema.createIndex('sign_in_failures_by_time').on('sign_in_failures').column('last_at').execute()
}

/** Adds whether holders of a link get the PDF; null is as the publication says. */
async function addLinkDownload(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('reader_links').addColumn('allow_download', 'integer').execute()
}

/** Adds the time at which the removal of a version began. */
async function addVersionRemoval(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('versions').addColumn('removed_at', 'bigint').execute()
}

/** Adds how readers see a publication at first; null is by the format of its pages. */
async function addFirstView(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('publications').addColumn('first_view', 'text').execute()
}

/** Creates the host names of workspaces, of which each has one. */
async function createDomains(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('workspace_domains')
    .addColumn('domain', 'text', (column) => column.primaryKey())
    .addColumn('workspace_id', 'text', (column) => column.notNull().unique())
    .execute()
}

/** Adds how far a file has got that arrives in several requests. */
async function addPartialUploads(db: Kysely<unknown>): Promise<void> {
  for (const [column, type] of [
    ['upload_length', 'bigint'],
    ['upload_offset', 'bigint'],
    ['upload_writer', 'text'],
    ['partial', 'text'],
    ['resumable_until', 'bigint'],
  ] as const)
    await db.schema.alterTable('uploads').addColumn(column, type).execute()
}

/** Adds the recognition of text: whether it is wanted, its progress, and leases of pages. */
async function addRecognition(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('publications').addColumn('recognize_text', 'integer').execute()
  await db.schema.alterTable('versions').addColumn('pages_recognized', 'integer').execute()
  await db.schema.alterTable('versions').addColumn('recognized_at', 'bigint').execute()
  for (const column of ['text_source', 'recognition_owner'])
    await db.schema.alterTable('pages').addColumn(column, 'text').execute()
  await db.schema.alterTable('pages').addColumn('recognition_until', 'bigint').execute()
  await db.schema.alterTable('pages').addColumn('recognition_attempts', 'integer').execute()
  await db.schema
    .createIndex('versions_to_recognize')
    .on('versions')
    .column('created_at')
    .where(sql<boolean>`recognized_at is null`)
    .execute()
}

/** Adds comments of pages. */
async function addComments(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('pages').addColumn('comments', 'text').execute()
}

/** Adds the recognised text of a PDF that was made of images: size and SHA-256 of the bytes that follow the file. */
async function addTextLayer(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('versions').addColumn('text_size', 'bigint').execute()
  await db.schema.alterTable('versions').addColumn('text_sha256', 'text').execute()
}

/** Adds what was read of a document, so that those of an earlier form are read again. */
async function addContentForm(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('versions').addColumn('content_form', 'integer').execute()
  await db.schema
    .createIndex('versions_to_reread')
    .on('versions')
    .column('created_at')
    .where(sql<boolean>`content_form is null`)
    .execute()
}

/** Adds since when a deleted publication is in the bin; null for one that is deleted for good. */
async function addBin(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('publications').addColumn('binned_at', 'bigint').execute()
}

/** The steps of the service's schema, by name; a step never changes once released. */
export const publicationsMigrations: Record<string, Migration> = {
  '0001-create-tables': { up: createFirstTables },
  '0002-add-statement-sources': { up: addStatementSources },
  '0003-add-access': { up: addAccess },
  '0004-add-first-publication': { up: addFirstPublication },
  '0005-create-reader-links': { up: createReaderLinks },
  '0006-add-allow-download': { up: addAllowDownload },
  '0007-create-faces': { up: createFaces },
  '0008-add-schedule': { up: addSchedule },
  '0009-add-passwords': { up: addPasswords },
  '0010-add-link-download': { up: addLinkDownload },
  '0011-add-version-removal': { up: addVersionRemoval },
  '0012-add-first-view': { up: addFirstView },
  '0013-create-collections': { up: createCollections },
  '0014-create-domains': { up: createDomains },
  '0015-add-partial-uploads': { up: addPartialUploads },
  '0016-add-recognition': { up: addRecognition },
  '0017-add-comments': { up: addComments },
  '0018-add-face-contact': { up: addFaceContact },
  '0019-add-text-layer': { up: addTextLayer },
  '0020-add-content-form': { up: addContentForm },
  '0021-add-bin': { up: addBin },
}
