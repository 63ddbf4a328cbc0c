import { Box } from '@mantine/core'
import { type ReactNode, useCallback, useEffect, useMemo, useRef, useState } from 'react'
import type { SharedTrack } from '../../../src/tracks/api/operator-track-schemas.ts'
import { useFormat } from '../i18n/format.ts'
import type { ShownCourse } from '../race/course-layers.ts'
import { type KnownTrack, listTracks, type TrackFilter, useRunnerFigures } from './list-tracks.ts'
import { LiveList } from './live-list.tsx'
import { type ColourOfTrack, LiveMap } from './live-map.tsx'
import type { LiveSnapshot } from './live-store.ts'
import './live-view.css'
import { type Following, RunnerCard } from './runner-card.tsx'
import { type ColourBy, colourings, createColours } from './runners.ts'
import { linkedRunner, useSelectedRunner } from './selected-runner.ts'
import {
  type LineQuery,
  type LinesQuery,
  type RankingQuery,
  usePastLines,
  useSelectedLine,
  useStartList,
  useStatuses,
} from './use-live-view.ts'

type LiveViewProps<Track extends SharedTrack> = {
  live: LiveSnapshot<Track>
  /** Silence after which a runner is shown without a signal. */
  noSignalAfterSec: number
  /** Charge from which a battery is low, for operators. */
  lowBatteryPercent?: number
  /** Queries the whole line of a track, of which frames have the end. */
  lineQuery: LineQuery
  /** Queries the lines of all tracks. */
  linesQuery: LinesQuery
  /** Queries the ranking, which has bibs, names and categories of the start list. */
  rankingQuery: RankingQuery
  /** The course of the event with its checkpoints. Must keep its identity while it stays. */
  course?: ShownCourse
  /** Renders more about the selected track, such as a link to its page. */
  more?(track: Track): ReactNode
  /** Stands above the list, and above the map of a narrow screen. */
  head?: ReactNode
}

/** A live map with the list of its tracks, next to it or below it on a narrow screen. */
export function LiveView<Track extends SharedTrack>(props: LiveViewProps<Track>) {
  const { live, noSignalAfterSec, lowBatteryPercent, lineQuery, linesQuery, rankingQuery, course, more, head } = props
  const { tracks } = live
  const view = useRef<HTMLDivElement>(null)
  const linesVersion = usePastLines(live, linesQuery)
  const listVersion = useStartList(live, rankingQuery)
  const statusVersion = useStatuses(live, noSignalAfterSec)
  const { choices, choose, entries, found, colourOf, offered } = useChoices(live)
  const { selectedId, select, close, following, follow, moved } = useSelection()
  const figuresOf = useRunnerFigures(lowBatteryPercent)
  const nowMs = live.shownNowMs()
  const selected = selectedId === undefined ? undefined : tracks.byId.get(selectedId)
  const lineVersion = useSelectedLine(live, lineQuery, selectedId)
  const version = live.version + statusVersion + linesVersion + listVersion + lineVersion
  const look = useLook(live, selectedId)
  return (
    <Box className="live-view" ref={view}>
      {head !== undefined && <div className="live-head">{head}</div>}
      <LiveMap
        live={live}
        version={version}
        linesVersion={linesVersion}
        filter={choices.filter}
        found={found}
        text={choices.text}
        colourOf={colourOf}
        selectedId={selectedId}
        isFollowed={following === 'on'}
        onSelect={select}
        onMoved={moved}
        course={course}
        view={view}
      />
      <div className="live-side">
        {selected?.track !== undefined && (
          <RunnerCard
            entry={selected as KnownTrack<Track>}
            figures={figuresOf(selected as KnownTrack<Track>, nowMs)}
            following={following}
            onFollow={follow}
            onClose={close}
            more={more}
          />
        )}
        <LiveList
          entries={entries}
          figuresOf={(entry) => figuresOf(entry, nowMs)}
          colourOf={colourOf}
          choices={choices}
          onChoose={choose}
          colourings={offered}
          total={tracks.byId.size}
          leftOut={live.leftOut}
          selectedId={selectedId}
          onSelect={select}
          onLook={look}
        />
      </div>
    </Box>
  )
}

/** The filter, search and colours, and the tracks that come of them. */
function useChoices<Track extends SharedTrack>({ tracks }: LiveSnapshot<Track>) {
  const { language } = useFormat()
  const [choices, setChoices] = useState({ text: '', filter: 'all' as TrackFilter, colourBy: 'status' as ColourBy })
  const { listVersion } = tracks
  const { text, filter, colourBy } = choices
  // biome-ignore lint/correctness/useExhaustiveDependencies: the version tells that the list changed
  const entries = useMemo(
    () => listTracks(tracks, { text, filter, language }),
    [tracks, listVersion, text, filter, language],
  )
  const found = useMemo(
    () => (text.trim() === '' ? undefined : new Set(entries.map(({ track }) => track.id))),
    [entries, text],
  )
  // biome-ignore lint/correctness/useExhaustiveDependencies: the version tells that the list changed
  const offered = useMemo(
    () => colourings([...tracks.byId.values()].flatMap(({ track }) => (track === undefined ? [] : [track]))),
    [tracks, listVersion],
  )
  const [colours] = useState(createColours)
  const colourOf = useCallback<ColourOfTrack>(
    ({ track, status }) => (track === undefined ? '#868e96' : colours(track, status, colourBy)),
    [colours, colourBy],
  )
  const choose = useCallback((some: Partial<typeof choices>) => setChoices((before) => ({ ...before, ...some })), [])
  return { choices, choose, entries, found, colourOf, offered }
}

/** The selected track, and whether the map follows it, as it does if a link led to it. */
function useSelection() {
  const [selectedId, setSelectedId] = useSelectedRunner()
  const [following, setFollowing] = useState<Following>(linkedRunner() === undefined ? 'off' : 'on')
  const select = useCallback(
    (id: string | undefined) => {
      setSelectedId(id)
      setFollowing('off')
    },
    [setSelectedId],
  )
  const close = useCallback(() => select(undefined), [select])
  const follow = useCallback((isFollowed: boolean) => setFollowing(isFollowed ? 'on' : 'off'), [])
  const moved = useCallback(() => setFollowing((before) => (before === 'on' ? 'stopped' : before)), [])
  return { selectedId, select, close, following, follow, moved }
}

/** Returns how to tell which entries of the list are looked at. The selected one always is. */
function useLook({ look }: LiveSnapshot<SharedTrack>, selectedId: string | undefined) {
  const [shownIds, setShownIds] = useState<readonly string[]>([])
  useEffect(() => look(shownIds, selectedId), [look, shownIds, selectedId])
  return setShownIds
}
