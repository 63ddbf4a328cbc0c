import { Center, Text, useComputedColorScheme } from '@mantine/core'
import {
  type IControl,
  MapLibreMap,
  type MapOptions,
  NavigationControl,
  ScaleControl,
  type StyleSpecification,
  setWorkerUrl,
} from 'maplibre-gl'
import workerUrl from 'maplibre-gl/dist/maplibre-gl-worker.mjs?url'
import { type CSSProperties, useEffect, useRef, useState } from 'react'
import { createPortal, flushSync } from 'react-dom'
import { drawMap, type MapState } from './draw-map.ts'
import {
  chooseTerrain,
  type MapUnits,
  type ShownMap,
  TERRAIN,
  TILES_FAILED,
  useShownMap,
  useTerrainShown,
} from './shown-map.ts'
import 'maplibre-gl/dist/maplibre-gl.css'
import './map-view.css'

/** Draws on a map. Called again after each change of style, which removes everything from it. */
type MapLayer = (map: MapLibreMap, dark: boolean) => void

type MapViewProps = {
  /** The map to show; by default the operators' choice. */
  shown?: ShownMap
  label: string
  /** Must keep its identity between renders. */
  locale: MapLocale
  /** Language of the names on the map, such as `fr`; by default the page's. */
  language?: string
  failedLabel: string
  /** Adds sources, layers and listeners. Must keep its identity between renders. */
  onStyle: MapLayer
  /** Called with a new map, which has a place and a size, but nothing on it yet. */
  onCreated?(map: MapLibreMap): void
  /** Called with the map whenever its layers have been added, and with undefined while a style loads. */
  onMap?(map: MapLibreMap | undefined): void
  height: CSSProperties['height']
}

/** Width of a map on which scale and attribution have no room beside each other. */
const NARROW_PX = 480

/** A map that follows the colour scheme. Outlines come first, and stay where the tiles cannot be loaded. */
export function MapView(props: MapViewProps) {
  const { label, language, failedLabel, onStyle, onCreated, onMap, height } = props
  const { labels, units } = props.locale
  const dark = useComputedColorScheme('light', { getInitialValueInEffect: false }) === 'dark'
  const chosen = useShownMap()
  const shown = props.shown ?? chosen
  const names = language ?? document.documentElement.lang
  const container = useRef<HTMLDivElement>(null)
  const [map, setMap] = useState<MapLibreMap>()
  const [state, setState] = useState<MapState>('shown')
  const hasTerrain = useTerrainShown(shown)
  const isTerrainOn = useRef(hasTerrain)
  const [scale] = useState(() => new ScaleControl({ maxWidth: 120 }))

  // biome-ignore lint/correctness/useExhaustiveDependencies: a map is created once; its labels keep the language it began with
  useEffect(() => {
    try {
      const made = createMap(container.current!, EMPTY_STYLE, { ...labels, 'Map.Title': label })
      // Beside each other, the attribution of a narrow map would cover it.
      made.addControl(scale, container.current!.clientWidth < NARROW_PX ? 'bottom-right' : 'bottom-left')
      if (shown.file !== null) made.fitBounds([...shown.file.bounds], { animate: false })
      setMap(made)
      onCreated?.(made)
      return () => {
        setMap(undefined)
        onMap?.(undefined)
        made.remove()
      }
    } catch {
      markDrawn(container.current)
      setState('failed')
    }
  }, [])

  useEffect(() => {
    if (map === undefined) return
    const look = { dark, language: names, units }
    return drawMap(map, { shown, look, isTerrainOn: () => isTerrainOn.current }, setState, {
      // At once: rendered layers may still change, which fails while a style loads.
      onLeave: () => flushSync(() => onMap?.(undefined)),
      onDrawn() {
        onStyle(map, dark)
        onMap?.(map)
        map.once('idle', () => markDrawn(container.current))
      },
    })
  }, [map, shown, dark, names, units, onStyle, onMap])

  useEffect(() => {
    if (map !== undefined) scale.setUnit(units.system)
  }, [map, scale, units])

  useEffect(() => {
    isTerrainOn.current = hasTerrain
    if (map !== undefined && shown.elevation !== null)
      import('./terrain.ts').then(
        ({ showTerrain }) => showTerrain(map, hasTerrain),
        () => {},
      )
  }, [map, shown, hasTerrain])

  return (
    <div className="map-view" style={{ height }}>
      <div ref={container} className="map-view-canvas" hidden={state === 'failed'} />
      {state === 'failed' && (
        <Center h="100%" p="md">
          <Text c="dimmed">{failedLabel}</Text>
        </Center>
      )}
      {map !== undefined && state === 'shown' && shown.elevation !== null && (
        <TerrainButton map={map} label={labels[TERRAIN]} isOn={hasTerrain} onChange={chooseTerrain} />
      )}
      {state === 'outlines only' && (
        <Text className="map-view-word" role="status" size="sm">
          {labels[TILES_FAILED]}
        </Text>
      )}
    </div>
  )
}

/** Marks a map that shows its drawings, or its failure: the picture in its place is not needed any more. */
function markDrawn(container: HTMLElement | null): void {
  if (container !== null) container.dataset.drawn = ''
}

const EMPTY_STYLE: StyleSpecification = { version: 8, sources: {}, layers: [] }

// MapLibre would look for its worker next to itself, where the build does not put it.
setWorkerUrl(workerUrl)

/** The labels of a map's controls under the names that MapLibre gives them, ours among them, and the reader's units. */
export type MapLocale = { labels: NonNullable<MapOptions['locale']>; units: MapUnits }

/** Creates a map with zoom buttons in an element. Throws if the browser has no WebGL. */
function createMap(container: HTMLElement, style: MapOptions['style'], locale: MapLocale['labels']): MapLibreMap {
  const map = new MapLibreMap({
    container,
    style,
    locale,
    center: [4, 46],
    zoom: 3,
    attributionControl: { compact: true },
    // Scrolling the page by finger or wheel is not caught by the map.
    cooperativeGestures: true,
    fadeDuration: 0,
    pitchWithRotate: false,
    dragRotate: false,
  })
  map.touchZoomRotate.disableRotation()
  map.addControl(new NavigationControl({ showCompass: false }), 'top-right')
  return map
}

type TerrainButtonProps = { map: MapLibreMap; label: string; isOn: boolean; onChange(on: boolean): void }

/** A button in a corner of the map that shows and hides the terrain. */
function TerrainButton({ map, label, isOn, onChange }: TerrainButtonProps) {
  const [place, setPlace] = useState<HTMLElement>()

  useEffect(() => {
    const group = document.createElement('div')
    group.className = 'maplibregl-ctrl maplibregl-ctrl-group'
    const control: IControl = { onAdd: () => group, onRemove: () => group.remove() }
    map.addControl(control, 'top-left')
    setPlace(group)
    return () => {
      // A map that has been removed has no controls either.
      if (map.hasControl(control)) map.removeControl(control)
    }
  }, [map])

  if (place === undefined) return null
  return createPortal(
    <button
      type="button"
      className="map-terrain"
      title={label}
      aria-label={label}
      aria-pressed={isOn}
      onClick={() => onChange(!isOn)}
    >
      <svg viewBox="0 0 24 24" aria-hidden="true">
        <path d="m8 3 4 8 5-5 5 15H2L8 3z" />
      </svg>
    </button>,
    place,
  )
}
