import type { Kysely } from 'kysely'

/** Adds the structure of a page's text, and what publishers state about a document in place of its file. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('pages').addColumn('roles', 'text').execute()
  for (const column of ['language', 'author', 'description']) {
    await db.schema.alterTable('publications').addColumn(column, 'text').execute()
  }
}
