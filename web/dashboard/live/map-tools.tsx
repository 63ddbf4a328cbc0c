import { Expand, LocateFixed, Maximize, Minimize, PanelRightClose } from 'lucide-react'
import { type MapLibreMap, Marker } from 'maplibre-gl'
import { type ReactNode, type RefObject, useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import './map-tools.css'

type MapToolsProps = {
  map: MapLibreMap
  /** The element that fills the screen. */
  view: RefObject<HTMLElement | null>
  /** Brings all tracks into view. */
  onShowAll(): void
}

/** The buttons of a live map: all of it, one's own position, full screen, and the map without the list beside it. */
export function MapTools({ map, view, onShowAll }: MapToolsProps) {
  const { t } = useTranslation()
  const screen = useFullScreen(view)
  const own = useOwnPosition(map)
  const [isWide, setWide] = useState(false)
  useEffect(() => void view.current?.toggleAttribute('data-wide', isWide), [view, isWide])
  return (
    <>
      <fieldset className="map-tools" aria-label={t('live.tools')}>
        <Tool label={t('live.showAll')} onClick={onShowAll}>
          <Expand size={18} aria-hidden />
        </Tool>
        <Tool label={t('live.myPosition')} isPressed={own.isShown} onClick={own.toggle}>
          <LocateFixed size={18} aria-hidden />
        </Tool>
        <Tool label={t('live.fullScreen')} isPressed={screen.isFull} onClick={screen.toggle}>
          {screen.isFull ? <Minimize size={18} aria-hidden /> : <Maximize size={18} aria-hidden />}
        </Tool>
        <Tool label={t('live.wideMap')} className="map-tool-wide" isPressed={isWide} onClick={() => setWide(!isWide)}>
          <PanelRightClose size={18} aria-hidden />
        </Tool>
      </fieldset>
      <div className="map-tools-word" role="status" hidden={own.failure === undefined}>
        {own.failure && t(`live.position.${own.failure}`)}
      </div>
    </>
  )
}

type ToolProps = { label: string; className?: string; isPressed?: boolean; onClick(): void; children: ReactNode }

function Tool({ label, className = '', isPressed, onClick, children }: ToolProps) {
  return (
    <button
      type="button"
      className={`map-tool ${className}`}
      aria-label={label}
      title={label}
      aria-pressed={isPressed}
      onClick={onClick}
    >
      {children}
    </button>
  )
}

/** Class of an element that fills the window, where a browser has no full screen for elements, as on iPhones. */
const FILLS_WINDOW = 'fills-window'

/** Makes an element fill the screen, or the window. Escape ends both. */
function useFullScreen(view: RefObject<HTMLElement | null>): { isFull: boolean; toggle(): void } {
  const [isFull, setFull] = useState(false)

  useEffect(() => {
    const changed = () => setFull(document.fullscreenElement !== null && document.fullscreenElement === view.current)
    document.addEventListener('fullscreenchange', changed)
    return () => document.removeEventListener('fullscreenchange', changed)
  }, [view])

  useEffect(() => {
    const element = view.current
    if (!isFull || document.fullscreenElement !== null || element === null) return
    element.classList.add(FILLS_WINDOW)
    const pressed = ({ key }: KeyboardEvent) => key === 'Escape' && setFull(false)
    document.addEventListener('keydown', pressed)
    return () => {
      element.classList.remove(FILLS_WINDOW)
      document.removeEventListener('keydown', pressed)
    }
  }, [isFull, view])

  return {
    isFull,
    toggle() {
      if (document.fullscreenElement !== null) void document.exitFullscreen()
      else if (isFull) setFull(false)
      else if (view.current?.requestFullscreen === undefined) setFull(true)
      else view.current.requestFullscreen().catch(() => setFull(true))
    },
  }
}

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
function useOwnPosition(map: MapLibreMap): OwnPosition {
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
