import { Center, Text, useComputedColorScheme } from '@mantine/core'
import type { MapLibreMap, StyleSpecification } from 'maplibre-gl'
import { type CSSProperties, useEffect, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { addGraticule } from './add-graticule.ts'
import { createMap, type MapLocale } from './create-map.ts'
import './map-view.css'
import { chosenStyle, outlinesStyle } from './map-style.ts'
import { type MapLook, type ShownMap, TILES_FAILED, useShownMap } from './shown-map.ts'
import { watchTiles } from './watch-tiles.ts'

/** Draws on a map. Called again after each change of style, which removes everything from it. */
type MapLayer = (map: MapLibreMap, dark: boolean) => void

type MapViewProps = {
  /** The map to show; by default the one that the operators have chosen. */
  shown?: ShownMap
  label: string
  /** Labels of the map, and the word that its tiles do not arrive. */
  locale: MapLocale
  /** Language of the names on the map, such as `fr`; that of the page by default. */
  language?: string
  failedLabel: string
  /** Adds sources, layers and listeners. Must keep its identity between renders. */
  onStyle: MapLayer
  /** Called with the map whenever its layers have been added, and with undefined while a style loads. */
  onMap?(map: MapLibreMap | undefined): void
  height: CSSProperties['height']
}

/** State of a map: all of it is shown, outlines alone because its tiles do not arrive, or nothing. */
type State = 'shown' | 'outlines only' | 'failed'

/** A map that follows the colour scheme. Outlines come first, and stay where the tiles cannot be loaded. */
export function MapView({ label, locale, language, failedLabel, onStyle, onMap, height, ...props }: MapViewProps) {
  const dark = useComputedColorScheme('light', { getInitialValueInEffect: false }) === 'dark'
  const chosen = useShownMap()
  const shown = props.shown ?? chosen
  const names = language ?? document.documentElement.lang
  const container = useRef<HTMLDivElement>(null)
  const [map, setMap] = useState<MapLibreMap>()
  const [state, setState] = useState<State>('shown')

  // biome-ignore lint/correctness/useExhaustiveDependencies: a map is created once; its labels keep the language it began with
  useEffect(() => {
    try {
      const made = createMap(container.current!, EMPTY_STYLE, { ...locale, 'Map.Title': label })
      if (shown.file !== null) made.fitBounds([...shown.file.bounds], { animate: false })
      setMap(made)
      return () => {
        setMap(undefined)
        onMap?.(undefined)
        made.remove()
      }
    } catch {
      setState('failed')
    }
  }, [])

  useEffect(() => {
    if (map === undefined) return
    return drawMap(map, { shown, look: { dark, language: names } }, setState, {
      // At once: what has been rendered may still change the layers, which fails while a style loads.
      onLeave: () => flushSync(() => onMap?.(undefined)),
      onDrawn() {
        onStyle(map, dark)
        onMap?.(map)
      },
    })
  }, [map, shown, dark, names, onStyle, onMap])

  return (
    <div className="map-view" style={{ height }}>
      <div ref={container} className="map-view-canvas" hidden={state === 'failed'} />
      {state === 'failed' && (
        <Center h="100%" p="md">
          <Text c="dimmed">{failedLabel}</Text>
        </Center>
      )}
      {state === 'outlines only' && (
        <Text className="map-view-word" role="status" size="sm">
          {locale[TILES_FAILED]}
        </Text>
      )}
    </div>
  )
}

const EMPTY_STYLE: StyleSpecification = { version: 8, sources: {}, layers: [] }

type Drawing = { shown: ShownMap; look: MapLook }

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
  { shown, look }: Drawing,
  report: (state: State) => void,
  { onLeave, onDrawn }: StyleChanges,
) {
  let isCurrent = true
  let isChosenDrawn = false
  let leaveStyle = () => {}

  function apply(style: StyleSpecification, onStyle: () => () => void): void {
    if (isCurrent) onLeave()
    // Leaving may have brought another look.
    if (!isCurrent) return
    leaveStyle()
    const drawn = () => {
      leaveStyle = onStyle()
      onDrawn()
    }
    leaveStyle = () => void map.off('style.load', drawn)
    map.once('style.load', drawn)
    map.setStyle(style, { diff: false })
  }

  const applyOutlines = (style: StyleSpecification) => apply(style, () => addGraticule(map, look.dark))

  function applyChosen(style: StyleSpecification): void {
    isChosenDrawn = true
    let hasTiles = false
    const watch = (isFailing: boolean) => {
      report(isFailing ? 'outlines only' : 'shown')
      hasTiles ||= !isFailing
      // A map file has the outlines under it. Without its tiles, the map of a provider would be empty.
      if (shown.kind === 'style' && !hasTiles) outlinesStyle(look.dark).then(applyOutlines, () => {})
    }
    apply(style, () => watchTiles(map, (source) => source in style.sources, watch))
  }

  async function draw(): Promise<void> {
    isChosenDrawn = false
    report('shown')
    const outlines = outlinesStyle(look.dark).then((style) => {
      if (!isChosenDrawn) applyOutlines(style)
    })
    const chosen = shown.kind === 'outlines' ? outlines : chosenStyle(shown, look).then(applyChosen)
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
