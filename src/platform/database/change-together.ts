import { type Compilable, PostgresAdapter, type QueryResult, type Transaction } from 'kysely'

/**
 * Runs changes of a transaction one after another, and returns how many rows each has changed. They are sent together
 * where that matters: while a transaction waits for its caller, SQLite's writer runs nothing else, such as the batches
 * of phones. The driver of PostgreSQL takes one query at a time.
 */
export async function changeTogether<Tables>(
  transaction: Transaction<Tables>,
  changes: readonly Compilable[],
): Promise<bigint[]> {
  const executor = transaction.getExecutor()
  return await executor.provideConnection(async (connection) => {
    const run = (change: Compilable): Promise<QueryResult<unknown>> => connection.executeQuery(change.compile())
    const results: QueryResult<unknown>[] = []
    if (executor.adapter instanceof PostgresAdapter) for (const change of changes) results.push(await run(change))
    else results.push(...(await Promise.all(changes.map(run))))
    return results.map(({ numAffectedRows = 0n }) => numAffectedRows)
  })
}
