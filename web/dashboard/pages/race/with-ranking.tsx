import { useQuery } from '@tanstack/react-query'
import { Flag, Users } from 'lucide-react'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { EmptyState } from '../../../ui/empty-state.tsx'
import { type Ranking, rankingQuery } from '../../api/races.ts'
import { Loaded } from '../../feedback/loaded.tsx'
import { ButtonLink } from '../../navigation/links.tsx'
import { paths } from '../../navigation/paths.ts'
import { isUnderWay } from '../../race/entry-words.ts'

/** Intervals at which a ranking is asked for again: while runners are on the course, and before and after that. */
const RUNNING_MS = 3000
const QUIET_MS = 15_000

type WithRankingProps = { eventId: string; children(ranking: Ranking): ReactNode }

/** Renders the ranking of an event, always current; the way to it while there is no course or no runner. */
export function WithRanking({ eventId, children }: WithRankingProps) {
  const { t } = useTranslation()
  const ranking = useQuery({
    ...rankingQuery(eventId),
    refetchInterval: ({ state: { data } }) => (data !== undefined && isUnderWay(data) ? RUNNING_MS : QUIET_MS),
  })
  return (
    <Loaded query={ranking}>
      {(found) => {
        if (found.length_m === null) {
          return (
            <EmptyState
              icon={Flag}
              title={t('race.noRanking')}
              action={
                <ButtonLink to={paths.eventCourse} params={{ eventId }}>
                  {t('race.toCourse')}
                </ButtonLink>
              }
            >
              {t('race.noRankingHelp')}
            </EmptyState>
          )
        }
        if (found.entries.length === 0) {
          return (
            <EmptyState
              icon={Users}
              title={t('race.nobody')}
              action={
                <ButtonLink to={paths.eventRunners} params={{ eventId }} variant="default">
                  {t('race.toStartList')}
                </ButtonLink>
              }
            >
              {t('race.nobodyHelp')}
            </EmptyState>
          )
        }
        return children(found)
      }}
    </Loaded>
  )
}
