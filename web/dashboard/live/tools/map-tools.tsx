import { Expand, LocateFixed, Maximize, Minimize } from 'lucide-react'
import type { MapLibreMap } from 'maplibre-gl'
import type { ReactNode, RefObject } from 'react'
import { useTranslation } from 'react-i18next'
import './map-tools.css'
import { useFullScreen } from './use-full-screen.ts'
import { useOwnPosition } from './use-own-position.ts'

type MapToolsProps = {
  map: MapLibreMap
  /** The element that fills the screen. */
  view: RefObject<HTMLElement | null>
  /** Brings all tracks into view. */
  onShowAll(): void
}

/** The buttons of a live map: all of it, full screen, and one's own position. */
export function MapTools({ map, view, onShowAll }: MapToolsProps) {
  const { t } = useTranslation()
  const screen = useFullScreen(view)
  const own = useOwnPosition(map)
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
      </fieldset>
      <div className="map-tools-word" role="status" hidden={own.failure === undefined}>
        {own.failure && t(`live.position.${own.failure}`)}
      </div>
    </>
  )
}

type ToolProps = { label: string; isPressed?: boolean; onClick(): void; children: ReactNode }

function Tool({ label, isPressed, onClick, children }: ToolProps) {
  return (
    <button
      type="button"
      className="map-tool"
      aria-label={label}
      title={label}
      aria-pressed={isPressed}
      onClick={onClick}
    >
      {children}
    </button>
  )
}
