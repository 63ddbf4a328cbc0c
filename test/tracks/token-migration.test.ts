import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { migrate } from '#platform/database/migrate.ts'
import { publicationsMigrations } from '../../src/publications/migrations/all-migrations.ts'
import { createApiKeysStore } from '../../src/publications/storage/api-keys-store.ts'
import type { PublicationsTables } from '../../src/publications/storage/tables.ts'
import { createWorkspacesStore } from '../../src/publications/storage/workspaces-store.ts'
import { tracksMigrations } from '../../src/tracks/migrations/all-migrations.ts'
import { createAppTokensStore } from '../../src/tracks/storage/app-tokens-store.ts'
import type { TracksTables } from '../../src/tracks/storage/tables.ts'
import { databases } from '../support/databases.ts'

/** Returns the migrations before the one with this name. */
function before<Migration>(migrations: Record<string, Migration>, name: string): Record<string, Migration> {
  return Object.fromEntries(Object.entries(migrations).filter(([other]) => other < name))
}

for (const engine of databases) {
  describe(`The migration of tokens and keys on ${engine.name}`, () => {
    test('gives tokens of before record and read, and keeps them as first tokens', async (t) => {
      const migrations = before(tracksMigrations, '0008-token-permissions')
      const database = await engine.connect<TracksTables>(t, { migrations })
      const row = { token_sha256: 'hash', event_id: 'event', sealed: new Uint8Array([1]), created_at: 5 }
      await database.db
        .insertInto('app_tokens')
        .values(row as TracksTables['app_tokens'])
        .execute()

      await migrate(database, tracksMigrations)

      const tokens = createAppTokensStore(database.db)
      assert.deepEqual(await tokens.findOpened('hash', 10), {
        eventId: 'event',
        userId: null,
        permissions: ['record', 'read'],
      })
      const [stored] = await tokens.listValid('event', 10)
      assert.deepEqual([stored.is_first, stored.created_at], [1, 5])
    })

    test('gives keys of before everything, and keeps them as first keys', async (t) => {
      const migrations = before(publicationsMigrations, '0007-key-permissions')
      const database = await engine.connect<PublicationsTables>(t, { migrations })
      const row = { key_sha256: 'hash', workspace_id: 'workspace', sealed: new Uint8Array([1]), created_at: 5 }
      await database.db
        .insertInto('api_keys')
        .values(row as PublicationsTables['api_keys'])
        .execute()

      await migrate(database, publicationsMigrations)

      const opened = await createWorkspacesStore(database.db).findByKey('hash', 10)
      assert.deepEqual(opened, { workspaceId: 'workspace', permissions: ['publish', 'read'] })
      const [stored] = await createApiKeysStore(database.db).listValid('workspace', 10)
      assert.deepEqual([stored.is_first, stored.label, stored.last_used_at], [1, null, null])
    })
  })
}
