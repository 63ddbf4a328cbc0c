import { Center, Text, useComputedColorScheme } from '@mantine/core'
import type { MapLibreMap, StyleSpecification } from 'maplibre-gl'
import { type CSSProperties, useEffect, useRef, useState } from 'react'
import { addGraticule } from './add-graticule.ts'
import { baseStyle } from './base-style.ts'
import { createMap, type MapLocale } from './create-map.ts'
import './map-view.css'
import { loadWorld } from './world.ts'

/** Draws on a map. Called again after each change of style, which removes everything from it. */
type MapLayer = (map: MapLibreMap, dark: boolean) => void

type MapViewProps = {
  /** The address of a MapLibre style; empty for the built-in outlines. */
  styleUrl: string
  label: string
  locale: MapLocale
  failedLabel: string
  /** Adds sources, layers and listeners. Must keep its identity between renders. */
  onStyle: MapLayer
  onMap?(map: MapLibreMap | undefined): void
  height: CSSProperties['height']
}

/** A map that follows the colour scheme, with a text where it cannot be shown. */
export function MapView({ styleUrl, label, locale, failedLabel, onStyle, onMap, height }: MapViewProps) {
  const dark = useComputedColorScheme('light', { getInitialValueInEffect: false }) === 'dark'
  const container = useRef<HTMLDivElement>(null)
  const [map, setMap] = useState<MapLibreMap>()
  const [failed, setFailed] = useState(false)

  // biome-ignore lint/correctness/useExhaustiveDependencies: a map is created once; its labels keep the language it began with
  useEffect(() => {
    try {
      const made = createMap(container.current!, EMPTY_STYLE, { ...locale, 'Map.Title': label })
      setMap(made)
      return () => {
        setMap(undefined)
        onMap?.(undefined)
        made.remove()
      }
    } catch {
      setFailed(true)
    }
  }, [])

  useEffect(() => {
    if (map === undefined) return
    let current = true
    let leaveNet = () => {}
    const drawn = () => {
      if (!current) return
      if (styleUrl === '') leaveNet = addGraticule(map, dark)
      onStyle(map, dark)
      onMap?.(map)
    }
    styleFor(styleUrl, dark)
      .then((style) => {
        if (!current) return
        map.once('style.load', drawn)
        map.setStyle(style, { diff: false })
      })
      .catch(() => setFailed(true))
    return () => {
      current = false
      leaveNet()
      map.off('style.load', drawn)
    }
  }, [map, styleUrl, dark, onStyle, onMap])

  return (
    <div className="map-view" style={{ height }}>
      <div ref={container} className="map-view-canvas" hidden={failed} />
      {failed && (
        <Center h="100%" p="md">
          <Text c="dimmed">{failedLabel}</Text>
        </Center>
      )}
    </div>
  )
}

const EMPTY_STYLE: StyleSpecification = { version: 8, sources: {}, layers: [] }

async function styleFor(styleUrl: string, dark: boolean): Promise<StyleSpecification | string> {
  return styleUrl === '' ? baseStyle(await loadWorld(), dark) : styleUrl
}
