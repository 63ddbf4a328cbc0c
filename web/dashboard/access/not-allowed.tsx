import { Lock } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { EmptyState } from '../../ui/empty-state.tsx'

/** Replaces a page that is not for the role of the operator, such as one from a bookmark. */
export function NotAllowed() {
  const { t } = useTranslation()
  return (
    <EmptyState icon={Lock} title={t('access.deniedTitle')}>
      {t('access.deniedHelp')}
    </EmptyState>
  )
}
