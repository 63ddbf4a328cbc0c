import { Lock } from 'lucide-react'
import { createContext, type ReactNode, useContext, useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { EmptyState } from '../../ui/titles.tsx'
import type { Operator, Session } from '../generated/types.gen.ts'

/** Role of an operator, and the events and workspaces that it is limited to. */
export type Rights = Pick<Operator, 'role' | 'limited_to'>

/** The actions that the signed-in operator may take, in what it can see. */
type AllowedActions = {
  /** Changes things inside events and workspaces. */
  canEdit: boolean
  /** Creates and deletes events and workspaces, and sets their limits. */
  canGovern: boolean
  /** Governs operators and the server. */
  isOwner: boolean
  /** Sees workspaces and no events. */
  isPublisher: boolean
}

const NONE: AllowedActions = { canEdit: false, canGovern: false, isOwner: false, isPublisher: false }

const RightsContext = createContext(NONE)

/** Lets the pages below know the rights of an operator. */
export function RightsOf({ session, children }: { session: Session; children: ReactNode }) {
  const { role, limited_to } = session.operator
  const isLimited = limited_to !== null
  const isPublisher = limited_to?.events.length === 0 && limited_to.workspaces.length > 0
  const rights = useMemo(
    () => ({
      canEdit: role !== 'viewer',
      canGovern: role !== 'viewer' && !isLimited,
      isOwner: role === 'owner',
      isPublisher,
    }),
    [role, isLimited, isPublisher],
  )
  return <RightsContext value={rights}>{children}</RightsContext>
}

/** Returns the rights of the signed-in operator. The server refuses all that they do not allow. */
export function useRights(): AllowedActions {
  return useContext(RightsContext)
}

/** Returns a function that names a role and its extent: Editor · 2 events, 1 workspace. */
export function useRightsWords(): (rights: Rights) => string {
  const { t } = useTranslation()
  return ({ role, limited_to }) => {
    if (limited_to === null) return t(`role.${role}`)
    const { events, workspaces } = limited_to
    const parts = [
      ...(events.length > 0 ? [t('reach.events', { count: events.length })] : []),
      ...(workspaces.length > 0 ? [t('reach.workspaces', { count: workspaces.length })] : []),
    ]
    return `${t(`role.${role}`)} · ${parts.length > 0 ? parts.join(', ') : t('reach.none')}`
  }
}

/** Replaces a page that is not for the role of the operator, such as one from a bookmark. */
export function NotAllowed() {
  const { t } = useTranslation()
  return (
    <EmptyState icon={Lock} title={t('access.deniedTitle')}>
      {t('access.deniedHelp')}
    </EmptyState>
  )
}
