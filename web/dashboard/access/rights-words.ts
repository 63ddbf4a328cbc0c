import { useTranslation } from 'react-i18next'
import type { Rights } from '../api/operators.ts'

/** Returns a function that names a role and what it is for: Editor · 2 events, 1 workspace. */
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
