import { Button, Stack } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useParams, useSearch } from '@tanstack/react-router'
import { Flag, Printer, Upload, Users } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { EmptyState } from '../../ui/titles.tsx'
import { useRights } from '../access/rights.tsx'
import { resultsAddress } from '../api/addresses.ts'
import { useChangeSearch } from '../components/change-search.ts'
import { Loaded } from '../components/feedback.tsx'
import { AnchorLink, ButtonLink } from '../components/links.tsx'
import { DownloadButton } from '../components/lists.tsx'
import { paths, routeIds } from '../components/paths.ts'
import { operatorGetRankingOptions } from '../generated/@tanstack/react-query.gen.ts'
import type { Ranking, RankingEntry } from '../generated/types.gen.ts'
import { useFormat } from '../i18n/format.ts'
import { Decisions } from './decisions.tsx'
import { entriesIn, isUnderWay } from './entry-words.ts'
import { RankingBar, RankingTable, type RankingTableProps, ViewSwitch } from './ranking-table.tsx'
import { ResultsTable } from './results-table.tsx'
import { TimesDialog, TimesImport } from './times-dialog.tsx'

/** The ranking of an event, which follows the race, or the same runners with all passing times, to print. */
export function ResultsPage() {
  const { t, i18n } = useTranslation()
  const { eventId } = useParams({ from: routeIds.event })
  const search = useSearch({ from: routeIds.eventResults })
  const { category, view = 'ranking' } = search
  const change = useChangeSearch<typeof search>(paths.eventResults)
  const { canEdit } = useRights()
  const [isImporting, setImporting] = useState(false)
  const actions = (
    <>
      {canEdit && (
        <Button variant="default" leftSection={<Upload size={16} aria-hidden />} onClick={() => setImporting(true)}>
          {t('race.importTimes')}
        </Button>
      )}
      {view === 'passings' && (
        <Button variant="default" leftSection={<Printer size={16} aria-hidden />} onClick={() => print()}>
          {t('race.print')}
        </Button>
      )}
      <DownloadButton href={resultsAddress(eventId, i18n.language)}>{t('race.csvDownload')}</DownloadButton>
    </>
  )
  return (
    <WithRanking
      eventId={eventId}
      category={category}
      onCategory={(chosen) => change({ category: chosen })}
      actions={actions}
    >
      {(ranking, shown) => (
        <>
          <Decisions eventId={eventId} />
          <ViewSwitch view={view} onView={(chosen) => change({ view: chosen === 'ranking' ? undefined : chosen })} />
          {view === 'ranking' ? (
            <RankingTable {...shown} />
          ) : (
            <EditableResults eventId={eventId} ranking={ranking} shown={shown} />
          )}
          {isImporting && <TimesImport eventId={eventId} ranking={ranking} onClose={() => setImporting(false)} />}
        </>
      )}
    </WithRanking>
  )
}

type EditableResultsProps = { eventId: string; ranking: Ranking; shown: RankingTableProps }

/** The results, with the times of each runner to enter and correct for those who may. */
function EditableResults({ eventId, ranking, shown }: EditableResultsProps) {
  const { canEdit } = useRights()
  const [bib, setBib] = useState<string | null>(null)
  const edited = bib === null ? undefined : ranking.entries.find((entry) => entry.bib === bib)
  if (!canEdit || ranking.checkpoints.length === 0) return <ResultsTable ranking={ranking} {...shown} />
  return (
    <>
      <ResultsTable ranking={ranking} {...shown} onTimes={(entry) => setBib(entry.bib)} />
      {edited !== undefined && (
        <TimesDialog eventId={eventId} ranking={ranking} entry={edited} onClose={() => setBib(null)} />
      )}
    </>
  )
}

/** Intervals at which a ranking is asked for again: while runners are on the course, and before and after that. */
const RUNNING_MS = 3000
const QUIET_MS = 15_000

type WithRankingProps = {
  eventId: string
  category: string | undefined
  onCategory(category: string | undefined): void
  actions?: ReactNode
  children(ranking: Ranking, shown: RankingTableProps): ReactNode
}

/** Renders the ranking of an event, always current; the way to it while there is no course or no runner. */
function WithRanking({ eventId, category, onCategory, actions, children }: WithRankingProps) {
  const { t } = useTranslation()
  const ranking = useQuery({
    ...operatorGetRankingOptions({ path: { id: eventId } }),
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
                <ButtonLink to={paths.eventParticipants} params={{ eventId }} variant="default">
                  {t('race.toStartList')}
                </ButtonLink>
              }
            >
              {t('race.nobodyHelp')}
            </EmptyState>
          )
        }
        const isOfCategory = category !== undefined
        return (
          <Stack gap="sm">
            <RankingBar ranking={found} category={category} onCategory={onCategory}>
              {actions}
            </RankingBar>
            {children(found, { entries: entriesIn(found, category), isOfCategory, nameOf })}
          </Stack>
        )
      }}
    </Loaded>
  )
}

/** Renders the name of a runner. */
function nameOf(entry: RankingEntry): ReactNode {
  return <TrackLink entry={entry} />
}

/** The name of a runner, as a link to the track if there is one. */
function TrackLink({ entry: { name, track_id } }: { entry: RankingEntry }) {
  const { trackName } = useFormat()
  if (track_id === null) return name
  return (
    <AnchorLink to={paths.track} params={{ trackId: track_id }} size="sm">
      {trackName(name)}
    </AnchorLink>
  )
}
