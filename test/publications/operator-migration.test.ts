import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { migrate } from '#platform/database/migrate.ts'
import { publicationsMigrations } from '../../src/publications/migrations/all-migrations.ts'
import type { PublicationsTables } from '../../src/publications/storage/tables.ts'
import { databases } from '../support/databases.ts'

for (const engine of databases) {
  describe(`a library from before search existed, on ${engine.name}`, () => {
    test('can be searched by title and slug after the migration, at any size', async (t) => {
      const [first] = Object.entries(publicationsMigrations)
      const database = await engine.connect<PublicationsTables>(t, { migrations: Object.fromEntries([first]) })
      const before = Array.from({ length: 501 }, (_, at) => ({
        id: `id-${String(at).padStart(3, '0')}`,
        workspace_id: 'workspace',
        slug: `ete-${at}`,
        title: `Été ${at}`,
        epoch: 0,
        version_id: `version-${at}`,
        created_at: 0,
        updated_at: 0,
      }))
      await database.db.insertInto('publications').values(before).execute()

      await migrate(database, publicationsMigrations)

      const rows = await database.db.selectFrom('publications').select('search_text').orderBy('id').execute()
      assert.deepEqual(
        rows.map(({ search_text }) => search_text),
        before.map((_, at) => `ete ${at}\nete-${at}`),
      )
    })
  })
}
