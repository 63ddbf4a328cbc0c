import {
  createOperatorAccess,
  type OperatorAccess,
  type OperatorRole,
} from '#platform/http/operators/operator-access.ts'

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
