import { type MapLayerMouseEvent, type MapLibreMap, Popup } from 'maplibre-gl'
import { type RefObject, useCallback, useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { SharedTrack } from '../../../src/tracks/api/operator-track-schemas.ts'
import { showAll } from '../../map/coordinates.ts'
import { MapView } from '../../map/map-view.tsx'
import { useMapLocale } from '../components/map-place.tsx'
import { useFormat } from '../i18n/format.ts'
import { addCourseLayers, drawCheckpoints, drawCourse, type ShownCourse } from '../race/course-layers.ts'
import type { TrackFilter } from './list-tracks.ts'
import {
  adaptLook,
  addLiveLayers,
  type ColourOfTrack,
  dimOthers,
  drawSelected,
  filterTracks,
  POSITIONS,
  SELECTED_POSITION,
  useDrawing,
} from './live-layers.ts'
import type { LiveSnapshot } from './live-store.ts'
import { headOf, type LiveTracks, type Position } from './live-tracks.ts'
import { MapTools } from './map-tools.tsx'

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
  /** Keeps the selected track in the centre of the map. */
  isFollowed: boolean
  /** The line of the selected track before its live line. */
  earlierLine: readonly Position[][]
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
/** More tracks than this are drawn with thin lines. */
const MANY_TRACKS = 200

/** The tracks of a stream on a map. It shows all lines at first, and then stays where the user has moved it. */
export function LiveMap<Track extends SharedTrack>(props: LiveMapProps<Track>) {
  const {
    live,
    version,
    linesVersion,
    filter,
    found,
    text,
    colourOf,
    selectedId,
    isFollowed,
    earlierLine,
    onSelect,
    onMoved,
  } = props
  const { t } = useTranslation()
  const locale = useMapLocale()
  const [drawn, setDrawn] = useState<{ map: MapLibreMap }>()
  /** The map, also while it changes its style. */
  const [shown, setShown] = useState<MapLibreMap>()
  const onMap = useCallback((map: MapLibreMap | undefined) => {
    setDrawn(map && { map })
    if (map !== undefined) setShown(map)
  }, [])
  const { tracks, state } = live
  useDrawing(drawn, { tracks, version, colourOf })

  useFirstView(drawn?.map, { tracks, version, linesVersion, isReady: state !== 'opening' })

  // biome-ignore lint/correctness/useExhaustiveDependencies: the version tells that the tracks changed
  useEffect(() => {
    if (drawn === undefined) return
    const entry = selectedId === undefined ? undefined : tracks.byId.get(selectedId)
    drawSelected(drawn.map, entry && { id: selectedId!, entry }, earlierLine, colourOf)
  }, [drawn, tracks, version, selectedId, earlierLine, colourOf])

  const isMany = tracks.byId.size > MANY_TRACKS
  useEffect(() => {
    if (drawn !== undefined) adaptLook(drawn.map, { isMany, hasSelected: selectedId !== undefined })
  }, [drawn, isMany, selectedId])

  useEffect(() => {
    if (drawn !== undefined) filterTracks(drawn.map, filter)
  }, [drawn, filter])

  useEffect(() => {
    if (drawn === undefined) return
    dimOthers(drawn.map, tracks.byId.keys(), found)
  }, [drawn, tracks, found])

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
  useCamera(drawn?.map, tracks, { selectedId, isFollowed })
  usePointing(drawn?.map, onSelect, onMoved)
  const showEveryone = () => {
    onMoved()
    if (shown !== undefined) showAll(shown, positionsOf(tracks), { animate: true, hasNames: true })
  }
  return (
    <div className="live-map">
      <MapView
        label={t('live.mapLabel')}
        locale={locale}
        failedLabel={t('map.failed')}
        onStyle={addLayers}
        onMap={onMap}
        height="100%"
      />
      {shown !== undefined && <MapTools map={shown} view={props.view} onShowAll={showEveryone} />}
    </div>
  )
}

function addLayers(map: MapLibreMap, dark: boolean): void {
  addCourseLayers(map, dark)
  addLiveLayers(map, dark)
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

function positionsOf({ byId }: LiveTracks<SharedTrack>): Position[] {
  return [...byId.values()].flatMap(({ pastParts, parts }) => [...pastParts, ...parts].flat())
}

function headsOf({ byId }: LiveTracks<SharedTrack>, ids: Iterable<string>): Position[] {
  return [...ids].flatMap((id) => {
    const entry = byId.get(id)
    const head = entry && headOf(entry)
    return head === undefined ? [] : [head]
  })
}

type FirstView = { tracks: LiveTracks<SharedTrack>; version: number; linesVersion: number; isReady: boolean }

/**
 * Shows everyone once there are positions, and again when the lines of the past come, unless the user moved the map.
 */
function useFirstView(map: MapLibreMap | undefined, { tracks, version, linesVersion, isReady }: FirstView): void {
  const shownVersion = useRef<number>(undefined)
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
    if (map === undefined || !isReady || shownVersion.current === linesVersion || isMoved.current) return
    const positions = positionsOf(tracks)
    if (positions.length === 0) return
    shownVersion.current = linesVersion
    showAll(map, positions, { hasNames: true })
  }, [map, tracks, version, linesVersion, isReady])
}

/** Brings a newly selected track into view, and from then on keeps up with a followed one. */
function useCamera(
  map: MapLibreMap | undefined,
  { byId }: LiveTracks<SharedTrack>,
  { selectedId, isFollowed }: { selectedId: string | undefined; isFollowed: boolean },
): void {
  const shown = useRef<string>(undefined)
  const entry = selectedId === undefined ? undefined : byId.get(selectedId)
  const [longitude, latitude] = (entry && headOf(entry)) ?? []
  useEffect(() => {
    if (selectedId === undefined) shown.current = undefined
    if (map === undefined || longitude === undefined || latitude === undefined) return
    const isNew = shown.current !== selectedId
    if (!isNew && !isFollowed) return
    shown.current = selectedId
    const zoom = isNew ? Math.max(map.getZoom(), MIN_SELECTED_ZOOM) : map.getZoom()
    map.easeTo({ center: [longitude, latitude], zoom })
  }, [map, selectedId, isFollowed, longitude, latitude])
}

/** Labels the track under the pointer, selects it on a click, and reports when the user moves the map away. */
function usePointing(map: MapLibreMap | undefined, onSelect: (id: string) => void, onMoved: () => void): void {
  const latest = useRef({ onSelect, onMoved })
  latest.current = { onSelect, onMoved }
  useEffect(() => {
    if (map === undefined) return
    const popup = new Popup({ closeButton: false, closeOnClick: false, offset: 12 })
    const move = ({ features, lngLat }: MapLayerMouseEvent) => {
      map.getCanvas().style.cursor = 'pointer'
      popup
        .setLngLat(lngLat)
        .setText(String(features?.[0]?.properties.label ?? ''))
        .addTo(map)
    }
    const leave = () => {
      map.getCanvas().style.cursor = ''
      popup.remove()
    }
    const click = ({ features }: MapLayerMouseEvent) => {
      const id: unknown = features?.[0]?.properties.id
      if (typeof id === 'string') latest.current.onSelect(id)
    }
    const dragged = () => latest.current.onMoved()
    // The arrow keys move the map as dragging does. Zooming keeps its centre.
    const started = ({ originalEvent }: { originalEvent?: unknown }) => {
      if (originalEvent instanceof KeyboardEvent && originalEvent.key.startsWith('Arrow')) latest.current.onMoved()
    }
    const layers = [POSITIONS, SELECTED_POSITION]
    map.on('mousemove', layers, move)
    map.on('mouseleave', layers, leave)
    map.on('click', layers, click)
    map.on('dragstart', dragged)
    map.on('movestart', started)
    return () => {
      popup.remove()
      map.off('mousemove', layers, move)
      map.off('mouseleave', layers, leave)
      map.off('click', layers, click)
      map.off('dragstart', dragged)
      map.off('movestart', started)
    }
  }, [map])
}
