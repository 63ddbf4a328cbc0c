import type { OperatorLimits, OperatorRights } from '../domain/operator-rights.ts'
import type { OperatorGrantRow, OperatorRow } from './tables.ts'

/** A row of an operator joined with a grant; without grants there is one row of nulls. */
type RightsRow = Pick<OperatorRow, 'role' | 'is_limited'> & {
  [Column in 'kind' | 'subject_id']: OperatorGrantRow[Column] | null
}

/**
 * Reads the rights of one operator from its rows, of which there is at least one. An owner reaches everything, also one
 * that the provider has promoted and who keeps limits for later.
 */
export function readRights(rows: readonly RightsRow[]): OperatorRights {
  const [{ role, is_limited }] = rows
  return { role, limitedTo: is_limited === 0 || role === 'owner' ? null : readLimits(rows) }
}

function readLimits(rows: readonly RightsRow[]): OperatorLimits {
  const idsOf = (wanted: OperatorGrantRow['kind']) =>
    rows.flatMap(({ kind, subject_id }) => (kind === wanted && subject_id !== null ? [subject_id] : [])).sort()
  return { events: idsOf('event'), workspaces: idsOf('workspace') }
}

/** Returns the grants to store for an operator. */
export function grantRows(operatorId: string, { limitedTo }: OperatorRights): OperatorGrantRow[] {
  if (limitedTo === null) return []
  const rows = (kind: OperatorGrantRow['kind'], ids: readonly string[]) =>
    [...new Set(ids)].map((subject_id) => ({ operator_id: operatorId, kind, subject_id }))
  return [...rows('event', limitedTo.events), ...rows('workspace', limitedTo.workspaces)]
}
