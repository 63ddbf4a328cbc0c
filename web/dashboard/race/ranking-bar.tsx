import { Group, NativeSelect, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import type { Ranking } from '../api/races.ts'
import { useFormat } from '../i18n/format.ts'
import { categoriesOf } from './entry-words.ts'
import './results.css'

type RankingBarProps = {
  ranking: Ranking
  category: string | undefined
  onCategory(category: string | undefined): void
  /** Further controls, such as a download. */
  children?: ReactNode
}

/** The line above a ranking: how many are where, as of when, and the choice of a category. */
export function RankingBar({ ranking, category, onCategory, children }: RankingBarProps) {
  const { t, i18n } = useTranslation()
  const format = useFormat()
  const categories = categoriesOf(ranking, i18n.language)
  const count = (state: string) =>
    ranking.entries.filter((entry) => entry.status === null && entry.state === state).length
  const counts = [
    t('race.countFinished', { count: count('finished'), figure: format.count(count('finished')) }),
    t('race.countRunning', { count: count('running'), figure: format.count(count('running')) }),
    t('race.countNotStarted', { count: count('not-started'), figure: format.count(count('not-started')) }),
  ]
  return (
    <Group justify="space-between" gap="sm">
      <Text size="sm" className="figures">
        {counts.join(' · ')}{' '}
        <Text span inherit c="dimmed">
          {ranking.is_complete ? t('race.asOf', { time: format.time(ranking.as_of) }) : t('race.computing')}
        </Text>
      </Text>
      <Group gap="sm" className="unprinted">
        {categories.length > 0 && (
          <NativeSelect
            size="sm"
            aria-label={t('race.category')}
            value={category ?? ''}
            onChange={({ currentTarget: { value } }) => onCategory(value === '' ? undefined : value)}
            data={[
              { value: '', label: t('race.allCategories') },
              ...categories.map((one) => ({ value: one, label: one })),
            ]}
          />
        )}
        {children}
      </Group>
    </Group>
  )
}
