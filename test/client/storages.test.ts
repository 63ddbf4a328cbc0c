import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { after, describe, test } from 'node:test'
import { capacitorSqliteStorage } from '../../clients/typescript/src/storage/capacitor-sqlite-storage.ts'
import { expoSqliteStorage } from '../../clients/typescript/src/storage/expo-sqlite-storage.ts'
import { memoryStorage } from '../../clients/typescript/src/storage/memory-storage.ts'
import { nodeSqliteStorage } from '../../clients/typescript/src/storage/node-sqlite-storage.ts'
import type { QueueStorage } from '../../clients/typescript/src/storage/queue-storage.ts'
import { openTrackQueue } from '../../clients/typescript/src/track-queue.ts'
import { capacitorConnection, expoDatabase } from './phone-databases.ts'
import { STORAGE_RULES } from './storage-contract.ts'

const folder = mkdtempSync(join(tmpdir(), 'queue-'))
const opened: DatabaseSync[] = []
after(() => {
  for (const database of opened) database.close()
  rmSync(folder, { recursive: true, force: true })
})

function openFile(name: string): DatabaseSync {
  const database = new DatabaseSync(join(folder, `${name}.db`))
  opened.push(database)
  return database
}

const storages: Record<string, (name: string) => () => Promise<QueueStorage>> = {
  memoryStorage: () => {
    const storage = memoryStorage()
    return async () => storage
  },
  nodeSqliteStorage: (name) => () => nodeSqliteStorage(openFile(`node-${name}`)),
  expoSqliteStorage: (name) => () => expoSqliteStorage(expoDatabase(openFile(`expo-${name}`))),
  capacitorSqliteStorage: (name) => () => capacitorSqliteStorage(capacitorConnection(openFile(`capacitor-${name}`))),
}

for (const [kind, openers] of Object.entries(storages)) {
  describe(kind, () => {
    for (const { name, check } of STORAGE_RULES) {
      test(name, async () => {
        const fault = await check(openers(name.replaceAll(' ', '-')))

        assert.equal(fault, undefined)
      })
    }
  })
}

describe('A full disk', () => {
  test('is an error of the call that says so, and leaves the queue as it was', async () => {
    const database = openFile('full')
    const storage = await nodeSqliteStorage(database)
    const queue = openTrackQueue({ baseUrl: 'http://localhost', token: 'trk_x', storage })
    await queue.createTrack({}, 'walk')
    const { page_count } = database.prepare('pragma page_count').get() as { page_count: number }
    database.exec(`pragma max_page_count = ${page_count}`)
    const points = Array.from({ length: 400 }, (_, i) => ({ latitude: 45, longitude: 6, timestamp: i * 1000 }))

    await assert.rejects(queue.addPoints('walk', points), { name: 'QueueStorageError', isFull: true })

    database.exec(`pragma max_page_count = ${page_count + 100}`)
    assert.deepEqual(
      (await queue.tracks()).map(({ unsentPoints }) => unsentPoints),
      [0],
    )
    assert.deepEqual(await queue.addPoints('walk', points), { queued: 400, rejected: [] })
  })
})
