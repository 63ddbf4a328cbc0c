import type { Kysely } from 'kysely'

/** Adds the SHA-256 of each image of a page, by which damage is found. Images of earlier versions have none. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('pages').addColumn('image_sums', 'text').execute()
}
