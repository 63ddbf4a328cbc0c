import { createHmac } from 'node:crypto'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Client } from 'pg'
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

/** @param secret keys the hash that stands for the address, which contains a password */
export function reachedDatabase(url: string, dataDir: string, secret: Buffer): ReachedDatabase {
  const path = join(dataDir, FILE)
  const mark = createHmac('sha256', secret).update(url).digest('hex')
  return {
    isKnown: () =>
      readFile(path, 'utf8').then(
        (known) => known === mark,
        () => false,
      ),
    async remember() {
      if (await this.isKnown()) return
      await mkdir(dataDir, { recursive: true, mode: 0o700 })
      await writeFile(path, mark, { mode: 0o600 })
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
