import { createHmac } from 'node:crypto'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Client } from 'pg'
import type { Secrets } from '../../security/secret.ts'
import { translateFailure } from '../database-failure.ts'
import { postgresConfig } from '../postgres/postgres-pool.ts'

/** Name of the file in the data folder. */
const FILE = 'reached-database'

/** Memory of having reached the database with these settings, which a start needs while the database cannot tell. */
export type ReachedDatabase = {
  /** Tells whether a start with this address has succeeded before, so that the address is right. */
  isKnown(): Promise<boolean>
  /** Remembers that the database was reached. Rejects if the data folder cannot be written. */
  remember(): Promise<void>
  /** Connects and disconnects. Rejects with UNAVAILABLE if the database cannot be used. */
  probe(): Promise<void>
}

/** @param secrets key the hash that stands for the address, which contains a password */
export function reachedDatabase(url: string, dataDir: string, secrets: Secrets): ReachedDatabase {
  const path = join(dataDir, FILE)
  // A start with a new secret, while the database is away, knows the mark of the former one.
  const marks = secrets.map((secret) => createHmac('sha256', secret).update(url).digest('hex'))
  return {
    isKnown: () =>
      readFile(path, 'utf8').then(
        (known) => marks.includes(known),
        () => false,
      ),
    async remember() {
      if ((await readFile(path, 'utf8').catch(() => '')) === marks[0]) return
      await mkdir(dataDir, { recursive: true, mode: 0o700 })
      await writeFile(path, marks[0], { mode: 0o600 })
    },
    async probe() {
      const client = new Client(postgresConfig({ url, schema: 'public', maxConnections: 1 }))
      client.on('error', () => {})
      try {
        await client.connect()
      } catch (error) {
        throw translateFailure(error)
      } finally {
        await client.end().catch(() => {})
      }
    },
  }
}
