import type { Kysely } from 'kysely'
import { createFailures } from '#platform/credentials/failures-store.ts'
import { createIdempotencyTable } from '#platform/database/idempotency.ts'
import { bytesType, type Migration } from '#platform/database/migrate.ts'
import { createInspectionTables } from '#platform/doctor/inspection-store.ts'
import { createMaintenanceTable } from '#platform/jobs/maintenance-clock.ts'
import { createWebhookTables } from '#platform/webhooks/tables.ts'
import { createDocumentTables } from './document-tables.ts'

/**
 * Creates the tables of the service. Everything that must be unique beyond a publication (keys, paths, slugs) has a
 * table of its own. `src/publications/model/tables.ts` explains the columns.
 */
async function up(db: Kysely<unknown>): Promise<void> {
  await createWorkspaces(db)
  await createFaces(db)
  await createDomains(db)
  await createCollections(db)
  await createSlugs(db)
  await createDocumentTables(db)
  await createFailures(db)
  await createIdempotencyTable(db)
  await createWebhookTables(db)
  await createMaintenanceTable(db)
  await createInspectionTables(db)
}

async function createWorkspaces(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('workspaces')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('name', 'text', (column) => column.notNull())
    .addColumn('max_bytes', 'bigint')
    .addColumn('max_publications', 'bigint')
    .addColumn('created_at', 'bigint', (column) => column.notNull())
    .addColumn('deleted_at', 'bigint')
    .execute()
  await db.schema
    .createTable('api_keys')
    .addColumn('key_sha256', 'text', (column) => column.primaryKey())
    .addColumn('workspace_id', 'text', (column) => column.notNull())
    .addColumn('permissions', 'text', (column) => column.notNull().defaultTo('publish,read'))
    .addColumn('is_first', 'integer', (column) => column.notNull().defaultTo(1))
    .addColumn('label', 'text')
    .addColumn('sealed', bytesType(db), (column) => column.notNull())
    .addColumn('created_at', 'bigint', (column) => column.notNull())
    .addColumn('expires_at', 'bigint')
    .addColumn('last_used_at', 'bigint')
    .execute()
  await db.schema.createIndex('api_keys_by_workspace').on('api_keys').column('workspace_id').execute()
}

/** Creates the public faces of workspaces with the slugs of their shelves. */
async function createFaces(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('workspace_faces')
    .addColumn('workspace_id', 'text', (column) => column.primaryKey())
    .addColumn('slug', 'text', (column) => column.notNull())
    .addColumn('name', 'text', (column) => column.notNull())
    .addColumn('about', 'text')
    .addColumn('website', 'text')
    .addColumn('accent_color', 'text')
    .addColumn('logo', bytesType(db))
    .addColumn('logo_sha256', 'text')
    .addColumn('logo_width', 'integer')
    .addColumn('logo_height', 'integer')
    .addColumn('updated_at', 'bigint', (column) => column.notNull())
    .addColumn('contact', 'text')
    .addColumn('license', 'text')
    .execute()
  await db.schema
    .createTable('shelf_slugs')
    .addColumn('slug', 'text', (column) => column.primaryKey())
    .addColumn('workspace_id', 'text', (column) => column.notNull())
    .execute()
  await db.schema.createIndex('shelf_slugs_by_workspace').on('shelf_slugs').column('workspace_id').execute()
}

/** Creates the host names of workspaces, of which each has one. */
async function createDomains(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('workspace_domains')
    .addColumn('domain', 'text', (column) => column.primaryKey())
    .addColumn('workspace_id', 'text', (column) => column.notNull().unique())
    .execute()
}

/** Creates collections with their slugs. */
async function createCollections(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('collections')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('workspace_id', 'text', (column) => column.notNull())
    .addColumn('slug', 'text', (column) => column.notNull())
    .addColumn('name', 'text', (column) => column.notNull())
    .addColumn('position', 'integer', (column) => column.notNull())
    .addColumn('created_at', 'bigint', (column) => column.notNull())
    .addColumn('updated_at', 'bigint', (column) => column.notNull())
    .execute()
  await db.schema
    .createIndex('collections_by_workspace')
    .on('collections')
    .columns(['workspace_id', 'position'])
    .execute()
  await db.schema
    .createTable('collection_slugs')
    .addColumn('workspace_id', 'text', (column) => column.notNull())
    .addColumn('slug', 'text', (column) => column.notNull())
    .addColumn('collection_id', 'text', (column) => column.notNull())
    .addPrimaryKeyConstraint('collection_slugs_pk', ['workspace_id', 'slug'])
    .execute()
}

async function createSlugs(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('slugs')
    .addColumn('slug', 'text', (column) => column.primaryKey())
    .addColumn('workspace_id', 'text', (column) => column.notNull())
    .addColumn('publication_id', 'text')
    .execute()
  await db.schema.createIndex('slugs_by_publication').on('slugs').column('publication_id').execute()
}

/** The steps of the service's schema, by name; a step never changes once released. */
export const publicationsMigrations: Record<string, Migration> = {
  '0001-initial': {
    up,
    replaces: {
      lastVersion: 'Trackpress 0.1.0 as of 28 November 2026',
      names: [
        '0001-create-tables',
        '0002-add-statement-sources',
        '0003-add-access',
        '0004-add-first-publication',
        '0005-create-reader-links',
        '0006-add-allow-download',
        '0007-create-faces',
        '0008-add-schedule',
        '0009-add-passwords',
        '0010-add-link-download',
        '0011-add-version-removal',
        '0012-add-first-view',
        '0013-create-collections',
        '0014-create-domains',
        '0015-add-partial-uploads',
        '0016-add-recognition',
        '0017-add-comments',
        '0018-add-face-contact',
        '0019-add-text-layer',
        '0020-add-content-form',
        '0021-add-bin',
      ],
    },
  },
}
