import { useTranslation } from 'react-i18next'
import type { OperatorPage } from '../../api/publications.ts'

/** Gives how a page is called: by its number, and by what the document itself calls it. */
export function usePageName(): (page: Pick<OperatorPage, 'page' | 'label'>) => string {
  const { t } = useTranslation()
  return ({ page, label }) => (label === null ? t('pages.page', { page }) : t('pages.pageCalled', { page, label }))
}
