import { Button, Stack } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Download } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { sharedResultsAddress } from '../dashboard/api/addresses.ts'
import { sharedRankingQuery } from '../dashboard/api/queries.ts'
import { Loaded } from '../dashboard/components/feedback.tsx'
import type { RankingEntry } from '../dashboard/generated/types.gen.ts'
import { useFormat } from '../dashboard/i18n/format.ts'
import { entriesIn, isUnderWay } from '../dashboard/race/entry-words.ts'
import { RankingBar, RankingTable, type ResultsView, ViewSwitch } from '../dashboard/race/ranking-table.tsx'
import { ResultsTable } from '../dashboard/race/results-table.tsx'
import type { Share, TabProps } from './share.ts'
import { start, useReady } from './start.tsx'

/** Intervals at which the ranking is asked for again: while runners are on the course, and before and after that. */
const RUNNING_MS = 5000
const QUIET_MS = 30_000

/** Shows this tab. */
export const show = (share: Share): Promise<void> => start(share, Tab)

/** The ranking of a shared event as it goes on, and all passing times. */
function Tab({ share: { token }, onReady }: TabProps) {
  const { t, i18n } = useTranslation()
  const { trackName } = useFormat()
  const nameOf = ({ name }: RankingEntry) => trackName(name)
  const [view, setView] = useState<ResultsView>('ranking')
  const [category, setCategory] = useState<string>()
  const ranking = useQuery({
    ...sharedRankingQuery(token),
    refetchInterval: ({ state: { data } }) => (data !== undefined && isUnderWay(data) ? RUNNING_MS : QUIET_MS),
  })
  const isReady = ranking.data !== undefined
  useReady(isReady, onReady)
  if (!isReady) return null
  return (
    <Loaded query={ranking}>
      {(found) => {
        const shown = { entries: entriesIn(found, category), isOfCategory: category !== undefined, nameOf }
        return (
          <Stack gap="sm">
            <RankingBar ranking={found} category={category} onCategory={setCategory}>
              <Button
                component="a"
                href={sharedResultsAddress(token, i18n.language)}
                download
                variant="default"
                leftSection={<Download size={16} aria-hidden />}
              >
                {t('race.csvDownload')}
              </Button>
            </RankingBar>
            <ViewSwitch view={view} onView={setView} />
            {view === 'ranking' ? <RankingTable {...shown} /> : <ResultsTable ranking={found} {...shown} />}
          </Stack>
        )
      }}
    </Loaded>
  )
}
