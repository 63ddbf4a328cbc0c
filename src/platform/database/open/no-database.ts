import { DummyDriver, Kysely, SqliteAdapter, SqliteIntrospector, SqliteQueryCompiler } from 'kysely'
import type { Database } from '../database.ts'

/** Makes a database in place of a real one, for commands that are described and not run. It opens nothing. */
export function noDatabase<Tables>(): Database<Tables> {
  return {
    db: new Kysely<Tables>({
      dialect: {
        createDriver: () => new NoDriver(),
        createQueryCompiler: () => new SqliteQueryCompiler(),
        createAdapter: () => new SqliteAdapter(),
        createIntrospector: (db) => new SqliteIntrospector(db),
      },
    }),
    kind: 'none',
    shardOf: undefined,
    check: refuse,
    checkWrite: refuse,
    maintain: refuse,
    sizeBytes: refuse,
    estimateRows: refuse,
    embedded: undefined,
    notices: undefined,
    guardedInsert: () => refuse,
    exclusively: refuse,
    close: async () => {},
  }
}

class NoDriver extends DummyDriver {
  override acquireConnection = refuse
}

async function refuse(): Promise<never> {
  throw new Error('There is no database')
}
