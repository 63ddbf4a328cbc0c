import { Stack } from '@mantine/core'
import { useNavigate, useParams, useSearch } from '@tanstack/react-router'
import { paths, routeIds } from '../../navigation/paths.ts'
import { entriesIn } from '../../race/entry-words.ts'
import { RankingBar } from '../../race/ranking-bar.tsx'
import { RankingTable } from '../../race/ranking-table.tsx'
import { linkToTrack } from './link-to-track.tsx'
import { WithRanking } from './with-ranking.tsx'

/** The ranking of an event, which follows the race. */
export function RankingPage() {
  const { eventId } = useParams({ from: routeIds.event })
  const { category } = useSearch({ from: routeIds.eventRanking })
  const navigate = useNavigate({ from: paths.eventRace })
  return (
    <WithRanking eventId={eventId}>
      {(ranking) => (
        <Stack gap="sm">
          <RankingBar
            ranking={ranking}
            category={category}
            onCategory={(chosen) => void navigate({ search: { category: chosen }, replace: true })}
          />
          <RankingTable
            entries={entriesIn(ranking, category)}
            isOfCategory={category !== undefined}
            nameOf={linkToTrack}
          />
        </Stack>
      )}
    </WithRanking>
  )
}
