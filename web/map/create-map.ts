import { MapLibreMap, type MapOptions, NavigationControl, ScaleControl, setWorkerUrl } from 'maplibre-gl'
import 'maplibre-gl/dist/maplibre-gl.css'
import workerUrl from 'maplibre-gl/dist/maplibre-gl-worker.mjs?url'

// MapLibre would look for its worker next to itself, where the build does not put it.
setWorkerUrl(workerUrl)

/** The labels of a map's controls, under the names that MapLibre gives them. */
export type MapLocale = NonNullable<MapOptions['locale']>

/** Creates a map with zoom buttons and scale in an element. Throws if the browser has no WebGL. */
export function createMap(container: HTMLElement, style: MapOptions['style'], locale: MapLocale): MapLibreMap {
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
  map.addControl(new ScaleControl({ maxWidth: 120 }), 'bottom-left')
  return map
}
