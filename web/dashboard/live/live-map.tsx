import { useComputedColorScheme } from '@mantine/core'
import { useReducedMotion } from '@mantine/hooks'
import type { MapLibreMap } from 'maplibre-gl'
import { type RefObject, useCallback, useEffect, useMemo, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { SharedTrack } from '../../../src/tracks/api/operator-track-schemas.ts'
import { positionsOf as coursePositions, showAll } from '../../map/coordinates.ts'
import { MapView } from '../../map/map-view.tsx'
import { useMapLocale } from '../components/map-place.tsx'
import { useFormat } from '../i18n/format.ts'
import { addCourseLayers, drawCheckpoints, drawCourse, type ShownCourse } from '../race/course-layers.ts'
import { stageOf, type TrackFilter } from './list-tracks.ts'
import { LiveBar } from './live-bar.tsx'
import type { LiveSnapshot } from './live-store.ts'
import { allPositions, firstViewOf, headOf, type LiveTrack, type LiveTracks, type Position } from './live-tracks.ts'
import { MapTools } from './map-tools.tsx'
import { MANY_RUNNERS, type Scene } from './paint-scene.ts'
import { Player } from './player.ts'
import type { DrawnRunner } from './replay-timeline.ts'
import { labelOf } from './runners.ts'
import { useCover } from './use-cover.ts'
import { FEW_TRACKS } from './use-live-view.ts'

/** Returns the colour of a track on the map. */
export type ColourOfTrack = (entry: LiveTrack) => string

export type LiveMapProps<Track extends SharedTrack> = {
  live: LiveSnapshot<Track>
  /** Grows with every change of the drawing. */
  version: number
  /** Changes when the lines of the past become known. */
  linesVersion: number
  filter: TrackFilter
  /** The tracks that a search has found, all others being dimmed; undefined for no search. */
  found: ReadonlySet<string> | undefined
  /** The text that is searched for. What it finds is brought into view. */
  text: string
  /** Must keep its identity while the colours stay. */
  colourOf: ColourOfTrack
  selectedId: string | undefined
  /** Keeps the selected track on the map. */
  isFollowed: boolean
  onSelect(id: string): void
  /** Called when the user drags the map. */
  onMoved(): void
  /** The course of the event, drawn below the tracks. */
  course: ShownCourse | undefined
  /** The element that fills the screen. */
  view: RefObject<HTMLElement | null>
}

/** Lowest zoom at which a selected track is shown. */
const MIN_SELECTED_ZOOM = 13
/** Time after the last letter of a search at which the map shows what it finds. */
const ZOOM_AFTER_MS = 400

/** The tracks of an event on a map. It shows everyone at first, and then stays where the user has moved it. */
export function LiveMap<Track extends SharedTrack>(props: LiveMapProps<Track>) {
  const { live, version, linesVersion, found, text, selectedId, onMoved } = props
  const { t } = useTranslation()
  const locale = useMapLocale()
  const [drawn, setDrawn] = useState<{ map: MapLibreMap }>()
  /** The map from its beginning, also while a style loads: runners do not wait for what is below them. */
  const [shown, setShown] = useState<MapLibreMap>()
  const onMap = useCallback((map: MapLibreMap | undefined) => setDrawn(map && { map }), [])
  const { tracks, state } = live
  const player = useMemo(() => new Player(live.played), [live.played])

  usePicture(shown, player, props)
  useFirstView(shown, { tracks, version, linesVersion, isReady: state !== 'opening', course: props.course })

  const latestFound = useRef(found)
  latestFound.current = found
  useEffect(() => {
    if (drawn === undefined || text === '') return
    // Not with every letter, nor when the search finds others later: only once the text stands.
    const timer = setTimeout(() => {
      const heads = headsOf(tracks, latestFound.current ?? [])
      if (heads.length > 0) showAll(drawn.map, heads, { animate: true, hasNames: true })
    }, ZOOM_AFTER_MS)
    return () => clearTimeout(timer)
  }, [drawn, tracks, text])

  useCourse(drawn, props.course)
  useSelectedView(drawn?.map, tracks, selectedId)
  useMoving(drawn?.map, onMoved)
  useSeenArea(shown, live.see)
  const showEveryone = () => {
    onMoved()
    if (shown !== undefined) showAll(shown, allPositions(tracks), { animate: true, hasNames: true })
  }
  return (
    <div className="live-map">
      <div className="live-picture">
        <MapView
          label={t('live.mapLabel')}
          locale={locale}
          failedLabel={t('map.failed')}
          onStyle={addCourseLayers}
          onCreated={setShown}
          onMap={onMap}
          height="100%"
        />
        {shown !== undefined && <MapTools map={shown} view={props.view} onShowAll={showEveryone} />}
      </div>
      <LiveBar player={player} />
    </div>
  )
}

/** With many runners, names are shown from this zoom on. */
const MIN_NAMES_ZOOM = 14
/** Length of the trails of some runners; the few of a small event show all of their way. */
const TRAIL_SEC = 300

/** Paints the runners above the map, as often as the player moves or anything else has changed. */
function usePicture<Track extends SharedTrack>(
  map: MapLibreMap | undefined,
  player: Player,
  { live: { tracks }, version, filter, found, colourOf, selectedId, isFollowed, onSelect }: LiveMapProps<Track>,
): void {
  const { language } = useFormat()
  const isStill = useReducedMotion()
  const dark = useComputedColorScheme('light', { getInitialValueInEffect: false }) === 'dark'
  // biome-ignore lint/correctness/useExhaustiveDependencies: the version tells that the tracks changed
  const runners = useMemo(
    () => drawnRunners(tracks, { filter, found, colourOf, language }),
    [tracks, version, filter, found, colourOf, language],
  )
  const named = useMemo(() => runners.filter(({ isDim }) => !isDim), [runners])
  const isMany = runners.length > MANY_RUNNERS
  const scene = useRef<() => Omit<Scene, 'pointedId'>>(undefined)
  scene.current = () => ({
    runners,
    timeOf: () => player.state.atSec,
    trailSec: isMany ? 0 : runners.length > FEW_TRACKS ? TRAIL_SEC : Number.POSITIVE_INFINITY,
    selectedTrailSec: Number.POSITIVE_INFINITY,
    named: isMany && found === undefined && (map?.getZoom() ?? 0) < MIN_NAMES_ZOOM ? [] : named,
    selectedId,
    isFollowed,
    dark,
  })
  const cover = useCover(map, player, { scene: () => scene.current!(), onSelect, isStill })
  // biome-ignore lint/correctness/useExhaustiveDependencies: these are what the picture shows
  useEffect(() => cover.current?.repaint(), [runners, selectedId, isFollowed, dark])
}

type Look = { filter: TrackFilter; found: ReadonlySet<string> | undefined; colourOf: ColourOfTrack; language: string }

/** Returns the runners that pass the filter as they are drawn; those last that come to lie above the others. */
function drawnRunners({ byId }: LiveTracks<SharedTrack>, { filter, found, colourOf, language }: Look): DrawnRunner[] {
  const runners: DrawnRunner[] = []
  for (const [id, entry] of byId) {
    const { track, line, status } = entry
    if (line.timeSec.length === 0) continue
    if (filter !== 'all' && (track === undefined ? 'live' : stageOf(track)) !== filter) continue
    runners.push({
      id,
      name: track === undefined ? '' : labelOf(track, language),
      colour: colourOf(entry),
      timeSec: line.timeSec,
      x: line.x,
      y: line.y,
      gaps: line.gaps,
      isUnderWay: true,
      lastSec: line.timeSec[line.timeSec.length - 1],
      isSilent: status === 'silent',
      isDim: found !== undefined && !found.has(id),
    })
  }
  return runners
}

/** Draws the course, again after each change of the map's style. */
function useCourse(drawn: { map: MapLibreMap } | undefined, course: ShownCourse | undefined): void {
  const format = useFormat()
  useEffect(() => {
    if (drawn === undefined || course === undefined) return
    drawCourse(drawn.map, course.line, format)
    drawCheckpoints(drawn.map, course.line, course.checkpoints)
  }, [drawn, course, format])
}

function headsOf({ byId }: LiveTracks<SharedTrack>, ids: Iterable<string>): Position[] {
  return [...ids].flatMap((id) => {
    const entry = byId.get(id)
    const head = entry && headOf(entry)
    return head === undefined ? [] : [head]
  })
}

type FirstView = {
  tracks: LiveTracks<SharedTrack>
  version: number
  linesVersion: number
  isReady: boolean
  course: ShownCourse | undefined
}

/**
 * Shows everyone once there are positions; the course and who is on it, if somebody is there; and again when the
 * course, the lines of the past or the ranking come, unless the user moved the map.
 */
function useFirstView(map: MapLibreMap | undefined, view: FirstView): void {
  const { tracks, version, linesVersion, isReady, course } = view
  const shownVersion = useRef<string>(undefined)
  const isMoved = useRef(false)
  useEffect(() => {
    if (map === undefined) return
    const moved = ({ originalEvent }: { originalEvent?: unknown }) => {
      if (originalEvent !== undefined) isMoved.current = true
    }
    map.on('movestart', moved)
    return () => void map.off('movestart', moved)
  }, [map])
  // biome-ignore lint/correctness/useExhaustiveDependencies: the version tells that the tracks changed
  useEffect(() => {
    const wanted = `${linesVersion} ${course !== undefined} ${tracks.listed.size > 0}`
    if (map === undefined || !isReady || shownVersion.current === wanted || isMoved.current) return
    const positions = firstViewOf(
      tracks,
      course === undefined ? [] : [...coursePositions(course.line.longitude, course.line.latitude)],
    )
    if (positions.length === 0) return
    shownVersion.current = wanted
    showAll(map, positions, { hasNames: true })
  }, [map, tracks, version, linesVersion, isReady, course])
}

/** Brings a newly selected track into view. */
function useSelectedView(
  map: MapLibreMap | undefined,
  { byId }: LiveTracks<SharedTrack>,
  selectedId: string | undefined,
): void {
  const shown = useRef<string>(undefined)
  const entry = selectedId === undefined ? undefined : byId.get(selectedId)
  const [longitude, latitude] = (entry && headOf(entry)) ?? []
  useEffect(() => {
    if (selectedId === undefined) shown.current = undefined
    if (map === undefined || longitude === undefined || latitude === undefined) return
    if (shown.current === selectedId) return
    shown.current = selectedId
    map.easeTo({ center: [longitude, latitude], zoom: Math.max(map.getZoom(), MIN_SELECTED_ZOOM) })
  }, [map, selectedId, longitude, latitude])
}

/** Tells which part of the world the map shows. */
function useSeenArea(map: MapLibreMap | undefined, see: LiveSnapshot<SharedTrack>['see']): void {
  useEffect(() => {
    if (map === undefined) return
    const moved = () => {
      const [[west, south], [east, north]] = map.getBounds().toArray()
      see({ west, south, east, north })
    }
    moved()
    map.on('moveend', moved)
    return () => {
      map.off('moveend', moved)
      see(undefined)
    }
  }, [map, see])
}

/** Reports when the user moves the map away. */
function useMoving(map: MapLibreMap | undefined, onMoved: () => void): void {
  const latest = useRef(onMoved)
  latest.current = onMoved
  useEffect(() => {
    if (map === undefined) return
    const dragged = () => latest.current()
    // The arrow keys move the map as dragging does. Zooming keeps its centre.
    const started = ({ originalEvent }: { originalEvent?: unknown }) => {
      if (originalEvent instanceof KeyboardEvent && originalEvent.key.startsWith('Arrow')) latest.current()
    }
    map.on('dragstart', dragged)
    map.on('movestart', started)
    return () => {
      map.off('dragstart', dragged)
      map.off('movestart', started)
    }
  }, [map])
}
