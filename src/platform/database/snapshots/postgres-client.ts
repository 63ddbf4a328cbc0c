import { Kysely, PostgresDialect, type PostgresPoolClient } from 'kysely'
import { Client } from 'pg'
import { translateFailure } from '../database-failure.ts'
import { postgresConfig } from '../postgres/postgres-pool.ts'

/** Connects to a database alone and without time limits, and disconnects after the work. Rejects as the work does. */
export async function withPostgresClient<Result>(
  url: string,
  work: (client: Client) => Promise<Result>,
): Promise<Result> {
  const client = new Client(postgresConfig({ url, schema: 'public', maxConnections: 1, isPatient: true }))
  // A broken connection makes the query fail, too. Without a listener, it would end the process.
  client.on('error', () => {})
  try {
    await client.connect()
    return await work(client)
  } catch (error) {
    throw translateFailure(error)
  } finally {
    await client.end().catch(() => {})
  }
}

/** Makes queries run on one connection, within the transaction that it has begun. */
export function kyselyOn(client: Client): Kysely<unknown> {
  const only = { query: client.query.bind(client), release() {} } as unknown as PostgresPoolClient
  return new Kysely<unknown>({
    dialect: new PostgresDialect({ pool: { connect: async () => only, end: async () => {}, options: {} } }),
  })
}
