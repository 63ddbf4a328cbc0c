import type { ErrorEvent, MapLibreMap, MapSourceDataEvent } from 'maplibre-gl'

/**
 * Reports whether the tiles of a map arrive: true when one fails, false when one comes, and again when that changes.
 * @param isBasemap tells the sources of the map itself from what pages draw on it
 * @returns a function that stops it
 */
export function watchTiles(
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
