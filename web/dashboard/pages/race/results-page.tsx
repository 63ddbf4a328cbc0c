import { Button, Stack } from '@mantine/core'
import { useNavigate, useParams, useSearch } from '@tanstack/react-router'
import { Download, Printer } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { apiPaths, withQuery } from '../../api/api-paths.ts'
import { paths, routeIds } from '../../navigation/paths.ts'
import { entriesIn } from '../../race/entry-words.ts'
import { RankingBar } from '../../race/ranking-bar.tsx'
import { ResultsTable } from '../../race/results-table.tsx'
import { linkToTrack } from './link-to-track.tsx'
import { WithRanking } from './with-ranking.tsx'

/** The results of an event with all passing times, to print and to download. */
export function ResultsPage() {
  const { t } = useTranslation()
  const { eventId } = useParams({ from: routeIds.event })
  const { category } = useSearch({ from: routeIds.eventResults })
  const navigate = useNavigate({ from: paths.eventResults })
  return (
    <WithRanking eventId={eventId}>
      {(ranking) => (
        <Stack gap="sm">
          <RankingBar
            ranking={ranking}
            category={category}
            onCategory={(chosen) => void navigate({ search: { category: chosen }, replace: true })}
          >
            <Button variant="default" leftSection={<Printer size={16} aria-hidden />} onClick={() => print()}>
              {t('race.print')}
            </Button>
            <Button
              component="a"
              href={withQuery(apiPaths.results(eventId), { format: 'csv' })}
              download
              leftSection={<Download size={16} aria-hidden />}
            >
              {t('race.csvDownload')}
            </Button>
          </RankingBar>
          <ResultsTable
            ranking={ranking}
            entries={entriesIn(ranking, category)}
            isOfCategory={category !== undefined}
            nameOf={linkToTrack}
          />
        </Stack>
      )}
    </WithRanking>
  )
}
