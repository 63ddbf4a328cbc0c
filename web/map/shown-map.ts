import { useSyncExternalStore } from 'react'

/** A file with tiles that this server delivers. */
export type TileFile = {
  url: string
  format: 'vector' | 'raster'
  min_zoom: number
  max_zoom: number
  /** West, south, east and north, in degrees. */
  bounds: readonly [number, number, number, number]
  attribution: string | null
  elevation_encoding: 'terrarium' | 'mapbox' | null
  tile_size: number | null
}

/** The map that pages show. */
export type ShownMap = {
  kind: 'outlines' | 'file' | 'style'
  /** False while no operator has chosen a map. */
  is_chosen: boolean
  style_url: string | null
  dark_style_url: string | null
  file: TileFile | null
  elevation: TileFile | null
}

/** The units in which a map says lengths: their system, and the short name of the unit of heights. */
export type MapUnits = { system: 'metric' | 'imperial'; high: string }

/** Appearance of a map, as the reader has it. */
export type MapLook = {
  dark: boolean
  /** Language of the labels, such as `fr`. */
  language: string
}

export const OUTLINES: ShownMap = {
  kind: 'outlines',
  is_chosen: true,
  style_url: null,
  dark_style_url: null,
  file: null,
  elevation: null,
}

/** Key of the label of the button that shows the terrain, among the labels of a map. */
export const TERRAIN = 'Terrain.Toggle'

/** Key of the word that the tiles of a map do not arrive, among the labels of a map. */
export const TILES_FAILED = 'Tiles.Failed'

let shown = readPage()
const listeners = new Set<() => void>()

/** Returns the map that the operators have chosen: from the page, or from a later {@link showMap}. */
export function useShownMap(): ShownMap {
  return useSyncExternalStore(subscribe, () => shown)
}

/** Changes the map of this page, after an operator has chosen another. Its policy must allow the hosts of the map. */
export function showMap(next: ShownMap): void {
  shown = next
  for (const listener of listeners) listener()
}

const TERRAIN_STORED_AS = 'trackpress-terrain'
let terrainChoice: 'on' | 'off' | undefined

/**
 * Returns whether maps show the terrain, by the choice in this browser. Without one, the style of a provider does not:
 * many have hills of their own.
 */
export function useTerrainShown({ kind, elevation }: ShownMap): boolean {
  const choice = useSyncExternalStore(subscribe, () => terrainChoice ?? storedTerrainChoice())
  return elevation !== null && (choice === undefined ? kind !== 'style' : choice === 'on')
}

/** Shows or hides the terrain on the maps of this browser. */
export function chooseTerrain(on: boolean): void {
  terrainChoice = on ? 'on' : 'off'
  try {
    localStorage.setItem(TERRAIN_STORED_AS, terrainChoice)
  } catch {
    // Without storage, the choice holds until the page is closed.
  }
  for (const listener of listeners) listener()
}

function storedTerrainChoice(): 'on' | 'off' | undefined {
  try {
    const stored = localStorage.getItem(TERRAIN_STORED_AS)
    return stored === 'on' || stored === 'off' ? stored : undefined
  } catch {
    return undefined
  }
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** Reads the map that the server puts into the head of the page. */
function readPage(): ShownMap {
  const content = document.querySelector<HTMLMetaElement>('meta[name="map"]')?.content
  return content === undefined ? OUTLINES : (JSON.parse(content) as ShownMap)
}

/** Messages between the page of settings and the preview of a style within it. */
type PreviewMessage =
  /** The preview can be told what to show. */
  | { about: 'map-preview'; state: 'ready' }
  /** Shows a map, in light or dark colours. */
  | { about: 'map-preview'; state: 'show'; shown: ShownMap }
  /** The style was loaded, and loads from these origins. */
  | { about: 'map-preview'; state: 'loaded'; styleUrl: string; darkStyleUrl: string | null; origins: string[] }
  /** The style cannot be loaded. */
  | { about: 'map-preview'; state: 'failed'; styleUrl: string; darkStyleUrl: string | null }

/** Sends a message to a window of this site alone. */
export function postPreview(target: Window, message: PreviewMessage): void {
  target.postMessage(message, location.origin)
}

/** Calls a function with the messages from a window of this site. Returns a function that ends it. */
export function onPreview(source: () => Window | null | undefined, receive: (message: PreviewMessage) => void) {
  const listen = ({ origin, source: from, data }: MessageEvent) => {
    if (origin === location.origin && from === source() && data?.about === 'map-preview')
      receive(data as PreviewMessage)
  }
  addEventListener('message', listen)
  return () => removeEventListener('message', listen)
}
