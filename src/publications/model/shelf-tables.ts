import type { Kysely } from 'kysely'
import { bytesType } from '#platform/database/migrate.ts'

/** Creates the public faces of workspaces with the slugs of their shelves, and the places of publications on them. */
export async function createFaces(db: Kysely<unknown>): Promise<void> {
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
    .execute()
  await db.schema
    .createTable('shelf_slugs')
    .addColumn('slug', 'text', (column) => column.primaryKey())
    .addColumn('workspace_id', 'text', (column) => column.notNull())
    .execute()
  await db.schema.createIndex('shelf_slugs_by_workspace').on('shelf_slugs').column('workspace_id').execute()
  await db.schema.alterTable('publications').addColumn('shelf_position', 'integer').execute()
}

/** Adds the contact and the licence of a workspace; null for none. */
export async function addFaceContact(db: Kysely<unknown>): Promise<void> {
  for (const column of ['contact', 'license'])
    await db.schema.alterTable('workspace_faces').addColumn(column, 'text').execute()
}

/** Creates collections with their slugs, and adds the collection of a publication; null is none. */
export async function createCollections(db: Kysely<unknown>): Promise<void> {
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
  await db.schema.alterTable('publications').addColumn('collection_id', 'text').execute()
}
