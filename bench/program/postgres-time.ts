import { readFileSync } from 'node:fs'
import type { Client } from 'pg'
import { parseSchedstat } from './processor-time.ts'

/** Processor time of PostgreSQL's processes in microseconds, and the bytes that it has written to its log. */
export type PostgresSpent = { backendsUs: number; walWriterUs: number; othersUs: number; walBytes: number }

type Reading = { nsByPid: Map<number, { type: string; ns: number }>; wal: string }

/** Measures what a PostgreSQL on this machine spends. The measuring connection's own process does not count. */
export type PostgresMeter = {
  /** Runs work and returns what was spent meanwhile. */
  during(work: () => Promise<unknown>): Promise<PostgresSpent>
  /**
   * Writes all changed pages now, so that none of the full-page images that follow a checkpoint falls into a
   * measurement.
   */
  checkpoint(): Promise<void>
}

export function postgresMeter(admin: Client): PostgresMeter {
  async function read(): Promise<Reading> {
    const wal = (await admin.query('select pg_current_wal_insert_lsn()::text as lsn')).rows[0].lsn
    const { rows } = await admin.query(
      'select pid, backend_type as type from pg_stat_activity where pid <> pg_backend_pid()',
    )
    const nsByPid = new Map<number, { type: string; ns: number }>()
    for (const { pid, type } of rows) {
      try {
        nsByPid.set(pid, { type, ns: parseSchedstat(readFileSync(`/proc/${pid}/schedstat`, 'utf8')) })
      } catch {
        // The process has ended meanwhile.
      }
    }
    return { nsByPid, wal }
  }
  return {
    async during(work) {
      const before = await read()
      await work()
      const after = await read()
      const { rows } = await admin.query('select pg_wal_lsn_diff($1, $2)::float8 as bytes', [after.wal, before.wal])
      return { ...sumByType(before, after), walBytes: rows[0].bytes }
    },
    async checkpoint() {
      await admin.query('checkpoint')
    },
  }
}

function sumByType(before: Reading, after: Reading): Omit<PostgresSpent, 'walBytes'> {
  const spent = { backendsUs: 0, walWriterUs: 0, othersUs: 0 }
  for (const [pid, { type, ns }] of after.nsByPid) {
    const us = (ns - (before.nsByPid.get(pid)?.ns ?? 0)) / 1000
    if (type === 'client backend') spent.backendsUs += us
    else if (type === 'walwriter') spent.walWriterUs += us
    else spent.othersUs += us
  }
  return spent
}
