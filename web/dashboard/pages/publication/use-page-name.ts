import { useTranslation } from 'react-i18next'
import type { OperatorPage } from '../../api/publications.ts'

/** Returns a function that names a page by its number and by the document's own page label. */
export function usePageName(): (page: Pick<OperatorPage, 'page' | 'label'>) => string {
  const { t } = useTranslation()
  return ({ page, label }) => (label === null ? t('pages.page', { page }) : t('pages.pageCalled', { page, label }))
}
