import { type Kysely, sql } from 'kysely'
import { bytesType } from '#platform/database/column-types.ts'

/** Publications whose words are folded by one statement. */
const PUBLICATIONS_PER_STEP = 500

/** Adds the search text of publications, and the reading figures. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('publications').addColumn('search_text', 'text').execute()
  await foldWords(db)
  // What changed of a workspace of late is what those who watch it are told.
  await db.schema
    .createIndex('publications_by_change')
    .on('publications')
    .columns(['workspace_id', 'updated_at'])
    .execute()
  await createFigures(db)
}

type Words = { id: string; title: string; slug: string }

/** Makes the publications of before searchable. */
async function foldWords(db: Kysely<unknown>): Promise<void> {
  for (let after = ''; ; ) {
    const { rows } = await sql<Words>`
      select id, title, slug from publications where id > ${after} order by id limit ${PUBLICATIONS_PER_STEP}`.execute(
      db,
    )
    if (rows.length === 0) return
    const values = rows.map((row) => sql`(cast(${row.id} as text), cast(${folded(row)} as text))`)
    await sql`
      with folded (id, words) as (values ${sql.join(values)})
      update publications set search_text = folded.words from folded where publications.id = folded.id`.execute(db)
    after = rows[rows.length - 1].id
  }
}

/**
 * As new publications have it; a step of the schema keeps its own copy, so that it does today what it did at its
 * release.
 */
function folded({ title, slug }: Words): string {
  return `${title}\n${slug}`.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase()
}

/** Days are text, `2026-05-03`, of UTC. */
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
