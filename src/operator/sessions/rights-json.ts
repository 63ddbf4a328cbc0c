import type { OperatorRights } from '../domain/operator-rights.ts'
import type { Rights } from '../schemas.ts'

/** Represents the rights of an operator. */
export function rightsJson({ role, limitedTo }: OperatorRights): Rights {
  return {
    role,
    limited_to: limitedTo && { events: [...limitedTo.events], workspaces: [...limitedTo.workspaces] },
  }
}
