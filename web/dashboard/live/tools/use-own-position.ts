import { type MapLibreMap, Marker } from 'maplibre-gl'
import { useEffect, useRef, useState } from 'react'

/** The reason why a browser does not tell its position, in the words of the texts. */
type PositionFailure = 'refused' | 'unavailable' | 'late' | 'insecure'

type OwnPosition = {
  isShown: boolean
  failure: PositionFailure | undefined
  /** Asks the browser for the position and shows it, or takes it off the map. */
  toggle(): void
}

const OPTIONS: PositionOptions = { enableHighAccuracy: true, timeout: 20_000, maximumAge: 10_000 }
/** Lowest zoom at which one's own position is shown. */
const MIN_ZOOM = 12
const FAILURES: Record<number, PositionFailure> = { 1: 'refused', 2: 'unavailable', 3: 'late' }

/** Shows the visitor's own position on a map, from when they ask for it. It stays in the browser. */
export function useOwnPosition(map: MapLibreMap): OwnPosition {
  const [isWanted, setWanted] = useState(false)
  const [isShown, setShown] = useState(false)
  const [failure, setFailure] = useState<PositionFailure>()
  const marker = useRef<Marker>(undefined)

  useEffect(() => {
    if (!isWanted) return
    const element = document.createElement('div')
    element.className = 'own-position'
    const watch = navigator.geolocation.watchPosition(
      ({ coords }) => {
        const center: [number, number] = [coords.longitude, coords.latitude]
        if (marker.current === undefined) {
          marker.current = new Marker({ element }).setLngLat(center).addTo(map)
          map.easeTo({ center, zoom: Math.max(map.getZoom(), MIN_ZOOM) })
        }
        marker.current.setLngLat(center)
        setShown(true)
      },
      ({ code }) => {
        // A position that was found stays where it was while the next one is late.
        if (marker.current !== undefined) return
        setFailure(FAILURES[code] ?? 'unavailable')
        setWanted(false)
      },
      OPTIONS,
    )
    return () => {
      navigator.geolocation.clearWatch(watch)
      marker.current?.remove()
      marker.current = undefined
      setShown(false)
    }
  }, [map, isWanted])

  return {
    isShown,
    failure,
    toggle() {
      setFailure(undefined)
      // Without https, browsers do not ask, and some have no such function.
      if (!window.isSecureContext || navigator.geolocation === undefined) setFailure('insecure')
      else setWanted(!isWanted)
    },
  }
}
