import { createOperatorAccess, type OperatorAccess, type OperatorRole } from '#platform/credentials/operator-access.ts'
import type { Rights } from './schemas.ts'
import type { OperatorGrantRow, OperatorRow } from './tables.ts'

/** Ids of the events and workspaces that an operator is limited to. */
export type OperatorLimits = { readonly events: readonly string[]; readonly workspaces: readonly string[] }

/** The role of an operator, and the events and workspaces that it is for; null for all that there are and will be. */
export type OperatorRights = { readonly role: OperatorRole; readonly limitedTo: OperatorLimits | null }

export const OWNER: OperatorRights = { role: 'owner', limitedTo: null }

/** Returns the rights as the services know them. */
export function accessOf({ role, limitedTo }: OperatorRights): OperatorAccess {
  return createOperatorAccess(
    role,
    limitedTo === null ? 'everything' : new Set([...limitedTo.events, ...limitedTo.workspaces]),
  )
}

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

/** Represents the rights of an operator. */
export function rightsJson({ role, limitedTo }: OperatorRights): Rights {
  return {
    role,
    limited_to: limitedTo && { events: [...limitedTo.events], workspaces: [...limitedTo.workspaces] },
  }
}
