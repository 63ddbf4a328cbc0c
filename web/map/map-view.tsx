import { Center, Text, useComputedColorScheme } from '@mantine/core'
import {
  type ErrorEvent,
  MapLibreMap,
  type MapOptions,
  type MapSourceDataEvent,
  NavigationControl,
  ScaleControl,
  type StyleSpecification,
  setWorkerUrl,
} from 'maplibre-gl'
import workerUrl from 'maplibre-gl/dist/maplibre-gl-worker.mjs?url'
import 'maplibre-gl/dist/maplibre-gl.css'
import { type CSSProperties, useEffect, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { baseStyle, groundStyle, loadWorld } from './base-style.ts'
import { addGraticule } from './graticule.ts'
import './map-view.css'
import {
  chooseTerrain,
  type MapLook,
  type MapUnits,
  type ShownMap,
  TERRAIN,
  TILES_FAILED,
  useShownMap,
  useTerrainShown,
} from './shown-map.ts'
import type { AddTerrain } from './terrain.ts'
import { TerrainButton } from './terrain-button.tsx'

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

/** Time after which the ground alone is drawn, until the outlines are there. */
const GROUND_AFTER_MS = 400

/** State of a map: all of it is shown, outlines alone because its tiles do not arrive, or nothing. */
type State = 'shown' | 'outlines only' | 'failed'

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
  const [state, setState] = useState<State>('shown')
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

type Drawing = { shown: ShownMap; look: MapLook & { units: MapUnits }; isTerrainOn(): boolean }

type StyleChanges = {
  /** Called before the layers of a style go. */
  onLeave(): void
  /** Called once a style has loaded. */
  onDrawn(): void
}

/**
 * Draws a map: the outlines as soon as they are there, then the chosen map. If that fails, the outlines stay or come
 * back. Once the browser is online again, it is drawn anew.
 * @returns a function that ends it
 */
function drawMap(
  map: MapLibreMap,
  { shown, look, isTerrainOn }: Drawing,
  report: (state: State) => void,
  { onLeave, onDrawn }: StyleChanges,
) {
  let isCurrent = true
  let isChosenDrawn = false
  let isAnyDrawn = false
  let leaveStyle = () => {}

  function apply(style: StyleSpecification, onStyle: () => () => void): void {
    if (isCurrent) onLeave()
    // Leaving may have brought another look.
    if (!isCurrent) return
    leaveStyle()
    isAnyDrawn = true
    const drawn = () => {
      leaveStyle = onStyle()
      onDrawn()
    }
    leaveStyle = () => void map.off('style.load', drawn)
    map.once('style.load', drawn)
    map.setStyle(style, { diff: false })
  }

  const applyOutlines = (style: StyleSpecification) => apply(style, () => addGraticule(map, look.dark))

  function applyChosen(style: StyleSpecification, addTerrain: AddTerrain | undefined): void {
    isChosenDrawn = true
    let hasTiles = false
    const watch = (isFailing: boolean) => {
      report(isFailing ? 'outlines only' : 'shown')
      hasTiles ||= !isFailing
      // A map file has the outlines under it. Without its tiles, the map of a provider would be empty.
      if (shown.kind === 'style' && !hasTiles) outlinesStyle(look.dark).then(applyOutlines, () => {})
    }
    apply(style, () => {
      addTerrain?.(map, style, { dark: look.dark, on: isTerrainOn(), units: look.units })
      return shown.kind === 'outlines'
        ? addGraticule(map, look.dark)
        : watchTiles(map, (source) => source in style.sources, watch)
    })
  }

  async function draw(): Promise<void> {
    isChosenDrawn = false
    report('shown')
    // On a slow line, runners and course are there long before the outlines.
    setTimeout(() => isAnyDrawn || !isCurrent || apply(groundStyle(look.dark), () => () => {}), GROUND_AFTER_MS)
    const outlines = outlinesStyle(look.dark).then((style) => {
      if (!isChosenDrawn) applyOutlines(style)
    })
    const isMore = shown.kind !== 'outlines' || shown.elevation !== null
    const chosen = isMore
      ? Promise.all([chosenStyle(shown, look), terrainOf(shown)]).then((parts) => applyChosen(...parts))
      : outlines
    const [first, second] = await Promise.allSettled([outlines, chosen])
    if (!isCurrent || second.status === 'fulfilled') return
    report(first.status === 'fulfilled' ? 'outlines only' : 'failed')
  }

  const drawAnew = () => void draw()
  drawAnew()
  if (shown.kind !== 'outlines') addEventListener('online', drawAnew)
  return () => {
    isCurrent = false
    removeEventListener('online', drawAnew)
    leaveStyle()
  }
}

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

/**
 * Reports whether the tiles of a map arrive: true when one fails, false when one comes, and again when that changes.
 * @param isBasemap distinguishes the sources of the map itself from drawings on it
 * @returns a function that stops it
 */
function watchTiles(
  map: MapLibreMap,
  isBasemap: (sourceId: string) => boolean,
  report: (isFailing: boolean) => void,
): () => void {
  let isFailing: boolean | undefined
  const say = (now: boolean) => {
    if (now === isFailing) return
    isFailing = now
    report(now)
  }
  const onError = (event: ErrorEvent & { sourceId?: string }) => {
    if (event.sourceId !== undefined && isBasemap(event.sourceId)) say(true)
  }
  const onData = (event: MapSourceDataEvent) => {
    const { tile, sourceId } = event as { tile?: { state?: string }; sourceId?: string }
    if (tile?.state === 'loaded' && sourceId !== undefined && isBasemap(sourceId)) say(false)
  }
  map.on('error', onError)
  map.on('sourcedata', onData)
  return () => {
    map.off('error', onError)
    map.off('sourcedata', onData)
  }
}

let loadingWorker: Promise<unknown> | undefined

/** Waits for the script that draws: beside the outlines, which are larger, it would come late on a slow line. */
function workerLoaded(): Promise<unknown> {
  loadingWorker ??= fetch(workerUrl).then(
    (answer) => answer.blob(),
    () => {},
  )
  return loadingWorker
}

/** Returns the style of the outlines, which comes with the pages. Rejects if the server does not respond. */
async function outlinesStyle(dark: boolean): Promise<StyleSpecification> {
  await workerLoaded()
  return baseStyle(await loadWorld(), dark)
}

/** Loads the terrain of a map; undefined if it has none, or it cannot be loaded. */
async function terrainOf({ elevation }: ShownMap): Promise<AddTerrain | undefined> {
  if (elevation === null) return undefined
  return await import('./terrain.ts').then(
    ({ loadTerrain }) => loadTerrain(elevation),
    () => undefined,
  )
}

/**
 * Returns the style of a map that was chosen instead of the outlines. Its code is loaded only now. Rejects if a
 * provider's style cannot be loaded.
 */
async function chosenStyle(shown: ShownMap, look: MapLook): Promise<StyleSpecification> {
  if (shown.kind === 'file' && shown.file !== null) {
    const { file } = shown
    const [{ fileStyle }, world] = await Promise.all([import('./file-style.ts'), loadWorld()])
    return await fileStyle({ file, world, look })
  }
  if (shown.style_url === null) return await outlinesStyle(look.dark)
  const { loadProvidedStyle } = await import('./provided-style.ts')
  return await loadProvidedStyle((look.dark && shown.dark_style_url) || shown.style_url, look.language)
}
