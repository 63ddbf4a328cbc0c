import { useComputedColorScheme } from '@mantine/core'
import { useMediaQuery, useReducedMotion } from '@mantine/hooks'
import { lazy, type RefObject, Suspense, useEffect, useMemo, useRef, useState } from 'react'
import type { SharedTrack } from '../../../src/tracks/api/operator-track-schemas.ts'
import { positionsOf as coursePositions, showAll } from '../../map/coordinates.ts'
import type { PaintedEvent, PaintedMap } from '../../map/painted-map.ts'
import { WIDE_WINDOW } from '../components/full-window.ts'
import { MapPlace } from '../components/map-place.tsx'
import { useFormat } from '../i18n/format.ts'
import type { ShownCourse } from '../race/course-layers.ts'
import { overSince } from './event-status.tsx'
import { stageOf, type TrackFilter } from './list-tracks.ts'
import type { LiveSnapshot } from './live-store.ts'
import { allPositions, firstViewOf, headOf, type LiveTrack, type LiveTracks, type Position } from './live-tracks.ts'
import { MANY_RUNNERS, type Scene } from './paint-scene.ts'
import { useCover } from './painter.ts'
import { Player } from './player.ts'
import type { DrawnRunner } from './replay-timeline.ts'
import { labelOf } from './runners.ts'
import { Sketch } from './sketch.tsx'
import type { SketchMap } from './sketch-map.ts'
import { FEW_TRACKS } from './use-live-view.ts'

/** Returns the colour of a track on the map. */
export type ColourOfTrack = (entry: LiveTrack) => string

type LiveMapProps<Track extends SharedTrack> = {
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

/**
 * The tracks of an event on a map. It shows everyone at first, and then stays where the user has moved it. A sketch is
 * there at once, and gives its view to the map when that has drawn the course.
 */
export function LiveMap<Track extends SharedTrack>(props: LiveMapProps<Track>) {
  const { live, version, linesVersion, found, text, selectedId, course, onMoved, view } = props
  const [sketch, setSketch] = useState<SketchMap>()
  const [full, setFull] = useState<PaintedMap>()
  const map: PaintedMap | undefined = full ?? sketch
  const { tracks, state } = live
  const isMapWanted = state !== 'opening' || live.currentAtMs !== undefined
  const player = useMemo(() => new Player(live.played), [live.played])
  // In a frame on another page, that page scrolls.
  const isCooperative = !useMediaQuery(WIDE_WINDOW, false, { getInitialValueInEffect: false }) || self !== top

  usePicture(map, player, props)
  useFirstView(map, { tracks, version, linesVersion, isReady: state !== 'opening', course })
  useFoundView(map, tracks, { found, text })
  useSelectedView(map, tracks, selectedId)
  useMoving(map, onMoved)
  useSeenArea(map, live.see)
  const showEveryone = () => {
    onMoved()
    if (map !== undefined) showAll(map, allPositions(tracks), { animate: true, hasNames: true })
  }
  return (
    <div className="live-map">
      <div className="live-picture">
        {full === undefined && <Sketch way={course?.line} isCooperative={isCooperative} onSketch={setSketch} />}
        {isMapWanted && (
          <MapPlace isAbovePicture>
            <LazyFullMap
              course={course}
              sketch={sketch}
              isCooperative={isCooperative}
              onFull={setFull}
              view={view}
              onShowAll={showEveryone}
            />
          </MapPlace>
        )}
      </div>
      <Suspense>
        <LazyLiveBar player={player} isOver={overSince(live) !== undefined} />
      </Suspense>
    </div>
  )
}

/**
 * MapLibre's map. The list and the sketch do not wait for its code, which is requested once the first positions are
 * there: any earlier, it would take the line from the tracks themselves.
 */
const LazyFullMap = lazy(async () => ({ default: (await import('./full-map.tsx')).FullMap }))
const LazyLiveBar = lazy(async () => ({ default: (await import('./live-bar.tsx')).LiveBar }))

type Search = { found: ReadonlySet<string> | undefined; text: string }

/** Brings those into view whom a search finds. */
function useFoundView(map: PaintedMap | undefined, tracks: LiveTracks<SharedTrack>, { found, text }: Search): void {
  const latest = useRef({ map, found })
  latest.current = { map, found }
  useEffect(() => {
    if (text === '') return
    // Not with every letter, nor when the search finds others later: only once the text stands.
    const timer = setTimeout(() => {
      const heads = headsOf(tracks, latest.current.found ?? [])
      const shown = latest.current.map
      if (shown !== undefined && heads.length > 0) showAll(shown, heads, { animate: true, hasNames: true })
    }, ZOOM_AFTER_MS)
    return () => clearTimeout(timer)
  }, [tracks, text])
}

/** With many runners, names are shown from this zoom on. */
const MIN_NAMES_ZOOM = 14
/** Length of the trails of some runners; the few of a small event show all of their way. */
const TRAIL_SEC = 300

/** Paints the runners above the map, as often as the player moves or anything else has changed. */
function usePicture<Track extends SharedTrack>(
  map: PaintedMap | undefined,
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
function useFirstView(map: PaintedMap | undefined, view: FirstView): void {
  const { tracks, version, linesVersion, isReady, course } = view
  const shownVersion = useRef<string>(undefined)
  const isMoved = useRef(false)
  useEffect(() => {
    if (map === undefined) return
    const moved = ({ originalEvent }: PaintedEvent) => {
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
  map: PaintedMap | undefined,
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
function useSeenArea(map: PaintedMap | undefined, see: LiveSnapshot<SharedTrack>['see']): void {
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
function useMoving(map: PaintedMap | undefined, onMoved: () => void): void {
  const latest = useRef(onMoved)
  latest.current = onMoved
  useEffect(() => {
    if (map === undefined) return
    const dragged = () => latest.current()
    // The arrow keys move the map as dragging does. Zooming keeps its centre.
    const started = ({ originalEvent }: PaintedEvent) => {
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
