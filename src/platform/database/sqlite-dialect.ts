import {
  CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  type Driver,
  type QueryResult,
  type SelectModifierNode,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
} from 'kysely'
import { databaseUnavailable, type NotedFailures } from './database-failure.ts'
import type { StatementResult } from './sqlite-messages.ts'
import type { SqliteReader } from './sqlite-reader.ts'
import type { SqliteWriterThread } from './sqlite-writer-thread.ts'

/** The two connections to one file, and their state. */
export type SqliteConnections = {
  reader: SqliteReader
  writer: SqliteWriterThread
  /** Transactions that have sent a statement and have not ended. */
  openSessions: Set<number>
  failures: NotedFailures
  lastSession: number
  isClosing: boolean
}

/**
 * Kysely dialect over `node:sqlite`. SELECTs outside transactions run on the calling thread, everything else on the
 * writer's. Look-ups by key take microseconds, less than a message to a thread and back; a commit waits for the disk.
 * Streaming is not supported: an open cursor would pin the reader to an old snapshot. Read in pages by key.
 */
export function nodeSqliteDialect(connections: SqliteConnections): Dialect {
  return {
    createDriver: () => new NodeSqliteDriver(connections),
    createQueryCompiler: () => new LocklessSqliteQueryCompiler(),
    createAdapter: () => new TwoConnectionSqliteAdapter(),
    createIntrospector: (db) => new SqliteIntrospector(db),
  }
}

class NodeSqliteDriver implements Driver {
  readonly #connections: SqliteConnections

  constructor(connections: SqliteConnections) {
    this.#connections = connections
  }

  async init(): Promise<void> {}

  async acquireConnection(): Promise<NodeSqliteConnection> {
    if (this.#connections.isClosing) throw databaseUnavailable('The database is being closed.')
    return new NodeSqliteConnection(this.#connections)
  }

  async beginTransaction(connection: NodeSqliteConnection): Promise<void> {
    connection.begin()
  }

  async commitTransaction(connection: NodeSqliteConnection): Promise<void> {
    await connection.end('commit')
  }

  async rollbackTransaction(connection: NodeSqliteConnection): Promise<void> {
    await connection.end('rollback')
  }

  async savepoint(connection: NodeSqliteConnection, name: string): Promise<void> {
    await connection.executeQuery(CompiledQuery.raw(`savepoint ${quoted(name)}`))
  }

  async rollbackToSavepoint(connection: NodeSqliteConnection, name: string): Promise<void> {
    await connection.executeQuery(CompiledQuery.raw(`rollback to ${quoted(name)}`))
  }

  async releaseSavepoint(connection: NodeSqliteConnection, name: string): Promise<void> {
    await connection.executeQuery(CompiledQuery.raw(`release ${quoted(name)}`))
  }

  async releaseConnection(): Promise<void> {}

  async destroy(): Promise<void> {}
}

/** A connection for one query or one transaction. It holds only the transaction's number, so creating one is cheap. */
class NodeSqliteConnection implements DatabaseConnection {
  readonly #connections: SqliteConnections
  #session = 0
  #generation = 0

  constructor(connections: SqliteConnections) {
    this.#connections = connections
  }

  /** Sends nothing: the transaction begins on the writer with its first statement, which saves a message. */
  begin(): void {
    this.#session = ++this.#connections.lastSession
  }

  async end(operation: 'commit' | 'rollback'): Promise<void> {
    const { openSessions, writer, failures } = this.#connections
    const session = this.#session
    this.#session = 0
    if (!openSessions.has(session)) return
    try {
      if (writer.generation !== this.#generation) throw lostWithWriter()
      await writer.run(operation, session, '', [])
    } catch (error) {
      // Without the writer, nothing is left to roll back, and the original error must be reported. The writer refuses a
      // rollback if the transaction depended on others of its group that have failed.
      if (operation === 'commit' || !isWriterGone(error)) throw failures.translated(error)
    } finally {
      openSessions.delete(session)
    }
  }

  async executeQuery<Row>(query: CompiledQuery): Promise<QueryResult<Row>> {
    try {
      return toQueryResult(query, await this.#run(query))
    } catch (error) {
      // The stack of an error from the other thread ends where its message arrived; this one leads to the caller.
      Error.captureStackTrace(error as Error)
      throw this.#connections.failures.translated(error)
    }
  }

  // biome-ignore lint/correctness/useYield: it refuses before it could yield anything.
  async *streamQuery<Row>(): AsyncIterableIterator<QueryResult<Row>> {
    throw new Error('Streaming queries is not supported. Read in pages by key')
  }

  #run(query: CompiledQuery): StatementResult | Promise<StatementResult | null> {
    const { reader, writer } = this.#connections
    const { sql, parameters } = query
    if (this.#session !== 0) return this.#runInTransaction(query)
    if (isRead(query)) return reader.run(sql, parameters)
    if (isChange(query)) return writer.run('change', 0, sql, parameters)
    const answer = writer.run('alone', 0, sql, parameters)
    return /^\s*pragma\b/i.test(sql) ? answer : answer.finally(() => reader.forgetStatements())
  }

  #runInTransaction({ sql, parameters }: CompiledQuery): Promise<StatementResult | null> {
    const { openSessions, writer } = this.#connections
    if (!openSessions.has(this.#session)) {
      openSessions.add(this.#session)
      const answer = writer.run('statement', this.#session, sql, parameters)
      this.#generation = writer.generation
      return answer
    }
    if (writer.generation !== this.#generation) throw lostWithWriter()
    return writer.run('statement', this.#session, sql, parameters)
  }
}

function isRead({ query, sql }: CompiledQuery): boolean {
  return query.kind === 'SelectQueryNode' || (query.kind === 'RawNode' && /^\s*select\b/i.test(sql))
}

function isChange({ query, sql }: CompiledQuery): boolean {
  return (
    query.kind === 'InsertQueryNode' ||
    query.kind === 'UpdateQueryNode' ||
    query.kind === 'DeleteQueryNode' ||
    (query.kind === 'RawNode' && /^\s*(insert|update|delete|replace)\b/i.test(sql))
  )
}

function toQueryResult<Row>(query: CompiledQuery, result: StatementResult | null): QueryResult<Row> {
  if (result === null) return { rows: [] }
  const rows = toObjects(result) as Row[]
  return isChange(query) ? { rows, numAffectedRows: BigInt(result.changes) } : { rows }
}

function toObjects({ columns, rows }: StatementResult): Record<string, unknown>[] {
  const objects = new Array(rows.length)
  for (let index = 0; index < rows.length; index++) {
    const values = rows[index]
    const object: Record<string, unknown> = {}
    for (let column = 0; column < columns.length; column++) object[columns[column]] = values[column]
    objects[index] = object
  }
  return objects
}

function isWriterGone(error: unknown): boolean {
  return (error as { code?: unknown }).code === 'ERR_WRITER_ENDED'
}

function lostWithWriter(): Error {
  return Object.assign(new Error('The transaction ended with the writer that held it.'), { code: 'ERR_WRITER_ENDED' })
}

function quoted(name: string): string {
  return `"${name.replaceAll('"', '""')}"`
}

/**
 * Allows several connections. Kysely assumes that SQLite has one and makes its users queue for it. Here, the reader
 * never waits for the writer, and the writer has its own queue.
 */
class TwoConnectionSqliteAdapter extends SqliteAdapter {
  override get supportsMultipleConnections(): boolean {
    return true
  }
}

/**
 * Leaves out `FOR UPDATE` and `FOR SHARE`, which SQLite does not know. It needs no row locks,
 * because only one transaction writes at a time.
 */
class LocklessSqliteQueryCompiler extends SqliteQueryCompiler {
  protected override visitSelectModifier(node: SelectModifierNode): void {
    if (node.modifier !== 'ForUpdate' && node.modifier !== 'ForShare') super.visitSelectModifier(node)
  }
}
