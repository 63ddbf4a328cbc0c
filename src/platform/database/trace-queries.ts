import type { LogEvent } from 'kysely'
import { failSpan, inChildSpan, isRecording, isTracing, startSpan } from '../tracing/spans.ts'
import type { InsertGuarded } from './database.ts'

/** Longer texts are cut: large inserts consist of placeholders. */
const MAX_QUERY_LENGTH = 2_000

/** The engine and the name of a database, as spans name them. */
export type TracedDatabase = { system: 'sqlite' | 'postgresql'; name: string }

/**
 * Returns Kysely's log, which makes a span of each query of a request; undefined without traces, so that it costs
 * nothing. The text has placeholders in place of all values.
 */
export function queryTracer({ system, name }: TracedDatabase): ((event: LogEvent) => void) | undefined {
  if (!isTracing()) return undefined
  return (event) => {
    if (!isRecording()) return
    const { sql } = event.query
    const endMs = Date.now()
    const span = startSpan(operationOf(sql), {
      kind: 'client',
      startMs: endMs - event.queryDurationMillis,
      attributes: {
        'db.system.name': system,
        'db.namespace': name,
        'db.query.text': sql.slice(0, MAX_QUERY_LENGTH),
      },
    })
    if (span !== undefined && event.level === 'error') failSpan(span, event.error)
    span?.end(endMs)
  }
}

/** Makes a span of each guarded insert, which goes past Kysely. */
export function traceInserts({ system, name }: TracedDatabase, insert: InsertGuarded): InsertGuarded {
  if (!isTracing()) return insert
  const attributes = { 'db.system.name': system, 'db.namespace': name }
  return (groups) =>
    inChildSpan('guarded insert', { ...attributes, 'db.operation.batch.size': groups.length }, () => insert(groups))
}

function operationOf(sql: string): string {
  return /^\s*(\w+)/.exec(sql)?.[1]?.toLowerCase() ?? 'query'
}
