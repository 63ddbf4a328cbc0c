import { Skeleton } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import './library-grid.css'

const CARDS = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h']

/** A placeholder for a library that is loading. */
export function LibrarySkeleton() {
  const { t } = useTranslation()
  return (
    <div className="library-skeleton" role="status" aria-label={t('state.loading')}>
      {CARDS.map((card) => (
        <Skeleton key={card} height={340} />
      ))}
    </div>
  )
}
