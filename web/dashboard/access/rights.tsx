import { createContext, type ReactNode, useContext, useMemo } from 'react'
import type { Session } from '../api/session.ts'

/** The actions that the signed-in operator may take, in what it can see. */
export type Rights = {
  /** Changes what is inside events and workspaces. */
  canEdit: boolean
  /** Creates and deletes events and workspaces, and sets their limits. */
  canGovern: boolean
  /** Governs operators and the server. */
  isOwner: boolean
}

const NONE: Rights = { canEdit: false, canGovern: false, isOwner: false }

const RightsContext = createContext(NONE)

/** Lets the pages below know the rights of an operator. */
export function RightsOf({ session, children }: { session: Session; children: ReactNode }) {
  const { role, limited_to } = session.operator
  const isLimited = limited_to !== null
  const rights = useMemo(
    () => ({ canEdit: role !== 'viewer', canGovern: role !== 'viewer' && !isLimited, isOwner: role === 'owner' }),
    [role, isLimited],
  )
  return <RightsContext value={rights}>{children}</RightsContext>
}

/** Returns the rights of the signed-in operator. The server refuses whatever they do not allow. */
export function useRights(): Rights {
  return useContext(RightsContext)
}
