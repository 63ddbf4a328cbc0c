import type { Kysely } from 'kysely'
import type { AuditRow, OperatorTables } from './tables.ts'

/** Filters of a list of records. */
export type AuditSearch = {
  operatorId?: string | undefined
  /** A thing, what belongs to it, and what was created in it. */
  subjectId?: string | undefined
  action?: string | undefined
  source?: string | undefined
  /** `unknown` for what was interrupted or is under way. */
  outcome?: string | undefined
  fromMs?: number | undefined
  toMs?: number | undefined
}

/** A record with the record of its outcome, if there is one. */
export type ListedAuditRow = AuditRow & {
  ended_at: number | null
  ended_outcome: string | null
  ended_status: number | null
  ended_details: string | null
}

/** Searches the audit log. */
export type AuditQueries = {
  /** Returns records, the newest first, of those before a position. */
  search(search: AuditSearch, page: { before: number | undefined; limit: number }): Promise<ListedAuditRow[]>
}

export function createAuditQueries(db: Kysely<OperatorTables>): AuditQueries {
  return {
    async search({ operatorId, subjectId, action, source, outcome, fromMs, toMs }, { before, limit }) {
      return await db
        .selectFrom('audit_log as entry')
        .leftJoin('audit_log as ending', 'ending.outcome_of', 'entry.position')
        .selectAll('entry')
        .select([
          'ending.at as ended_at',
          'ending.outcome as ended_outcome',
          'ending.status as ended_status',
          'ending.details as ended_details',
        ])
        .where('entry.outcome_of', 'is', null)
        .$if(before !== undefined, (query) => query.where('entry.position', '<', before!))
        .$if(operatorId !== undefined, (query) => query.where('entry.actor_id', '=', operatorId!))
        .$if(action !== undefined, (query) => query.where('entry.action', '=', action!))
        .$if(source !== undefined, (query) => query.where('entry.source', '=', source!))
        .$if(fromMs !== undefined, (query) => query.where('entry.at', '>=', fromMs!))
        .$if(toMs !== undefined, (query) => query.where('entry.at', '<', toMs!))
        .$if(subjectId !== undefined, (query) =>
          query.where((where) =>
            where.or([
              where('entry.subject_id', '=', subjectId!),
              where('entry.within_id', '=', subjectId!),
              where('ending.subject_id', '=', subjectId!),
            ]),
          ),
        )
        .$if(outcome !== undefined, (query) =>
          query.where(({ fn, eb }) => {
            const known = fn.coalesce('entry.outcome', 'ending.outcome')
            return outcome === 'unknown' ? eb(known, 'is', null) : eb(known, '=', outcome!)
          }),
        )
        .orderBy('entry.position', 'desc')
        .limit(limit)
        .execute()
    },
  }
}
