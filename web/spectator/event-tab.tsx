import { useQuery } from '@tanstack/react-query'
import { MapPin } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { queryOf, sharedCourseQuery, sharedRankingQuery, sharedReplayQuery } from '../dashboard/api/queries.ts'
import { getSharedSeriesOptions } from '../dashboard/generated/@tanstack/react-query.gen.ts'
import type { Ranking } from '../dashboard/generated/types.gen.ts'
import { LiveView } from '../dashboard/live/live-view.tsx'
import { runnerAddress } from '../dashboard/live/selected-runner.ts'
import { RunnerPassings } from '../dashboard/race/runner-passings.tsx'
import { CopyButton } from '../ui/copy-button.tsx'
import { EmptyState } from '../ui/titles.tsx'
import { Status, useLiveShare } from './live-share.tsx'
import type { Share, TabProps } from './share.ts'
import { start, useReady } from './start.tsx'

/** Interval at which the places of the runners are asked for again. */
const RANKING_MS = 10_000

/** Shows this tab. */
export const show = (share: Share): Promise<void> => start(share, Tab)

/** The live map of a shared event with the list of its runners. */
function Tab({ share: { token, view, hasCourse }, onReady }: TabProps) {
  const { t } = useTranslation()
  const live = useLiveShare(token)
  // One that is drawn later comes when somebody looks at the page again.
  const course = useQuery({ ...sharedCourseQuery(token), initialData: hasCourse ? undefined : null }).data ?? undefined
  const ranking = useQuery({
    ...sharedRankingQuery(token),
    enabled: course !== undefined,
    refetchInterval: RANKING_MS,
  })
  // Without a network, the page's own text is the last known state.
  const isReady = live.state === 'live' || live.currentAtMs !== undefined
  useReady(isReady, onReady)
  return (
    <>
      <Status live={live} />
      {live.state === 'live' && live.tracks.byId.size === 0 ? (
        <EmptyState icon={MapPin} title={t('share.nothingYet')}>
          {t('share.nothingYetHelp')}
        </EmptyState>
      ) : (
        isReady && (
          <LiveView
            live={live}
            noSignalAfterSec={view.event.no_signal_after_sec}
            lineQuery={(id) => queryOf(getSharedSeriesOptions({ path: { token, id } }))}
            linesQuery={queryOf(sharedReplayQuery(token))}
            rankingQuery={queryOf<Ranking>(sharedRankingQuery(token))}
            course={course}
            more={(track) => (
              <>
                <CopyButton
                  size="xs"
                  value={runnerAddress(track.id)}
                  label={t('share.copyRunner')}
                  copiedLabel={t('action.copied')}
                />
                <RunnerPassings ranking={ranking.data} trackId={track.id} />
              </>
            )}
          />
        )
      )}
    </>
  )
}
