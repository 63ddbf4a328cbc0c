import { MapLibreMap, type MapOptions, NavigationControl, ScaleControl, setWorkerUrl } from 'maplibre-gl'
import 'maplibre-gl/dist/maplibre-gl.css'
import workerUrl from 'maplibre-gl/dist/maplibre-gl-worker.mjs?url'

// The library would look for its worker beside itself, where the build does not put it.
setWorkerUrl(workerUrl)

/** The labels of a map's controls, under the names that MapLibre gives them. */
export type MapLocale = NonNullable<MapOptions['locale']>

/** A map in an element, with zoom, compass and scale. Throws where the browser has no WebGL. */
export function createMap(container: HTMLElement, style: MapOptions['style'], locale: MapLocale): MapLibreMap {
  const map = new MapLibreMap({
    container,
    style,
    locale,
    center: [4, 46],
    zoom: 3,
    attributionControl: { compact: true },
    // A page is scrolled past a map by finger or wheel without being caught in it.
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
