import { type PostgresCluster, startPostgresCluster } from './postgres-cluster.ts'
import { selectedDatabases } from './selected-databases.ts'

// For `node --test --test-global-setup=test/support/global-setup.ts`: one PostgreSQL for all test files.
// Each file runs in its own process and reads the address from its environment.

let cluster: PostgresCluster | undefined

/** Starts PostgreSQL, unless TEST_POSTGRES_URL names one or TEST_DATABASES leaves it out. */
export async function globalSetup(): Promise<void> {
  if (process.env.TEST_POSTGRES_URL !== undefined || !selectedDatabases().includes('postgres')) return
  cluster = await startPostgresCluster()
  process.env.TEST_POSTGRES_URL = cluster.url
}

/** Stops the PostgreSQL that was started here. */
export async function globalTeardown(): Promise<void> {
  await cluster?.stop()
}
