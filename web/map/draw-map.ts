import type { ErrorEvent, MapLibreMap, MapSourceDataEvent, StyleSpecification } from 'maplibre-gl'
import workerUrl from 'maplibre-gl/dist/maplibre-gl-worker.mjs?url'
import { baseStyle, groundStyle, loadWorld } from './base-style.ts'
import { addGraticule } from './graticule.ts'
import type { MapLook, MapUnits, ShownMap } from './shown-map.ts'
import type { AddTerrain } from './terrain.ts'

/** Time after which the ground alone is drawn, until the outlines are there. */
const GROUND_AFTER_MS = 400

/** State of a map: all of it is shown, outlines alone because its tiles do not arrive, or nothing. */
export type MapState = 'shown' | 'outlines only' | 'failed'

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
export function drawMap(
  map: MapLibreMap,
  { shown, look, isTerrainOn }: Drawing,
  report: (state: MapState) => void,
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
