import { useComputedColorScheme } from '@mantine/core'
import { Minus, Plus } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { CourseLine } from '../generated/types.gen.ts'
import './map-tools.css'
import './sketch.css'
import { takeGestures, zoomBy } from './sketch-gestures.ts'
import { SketchMap } from './sketch-map.ts'

type SketchProps = {
  /** The course, once it is known. */
  way: CourseLine | undefined
  /** True to leave the wheel and one finger to the page, which scrolls by them. */
  isCooperative: boolean
  /** Called with the sketch, and with undefined when it goes. Must keep its identity. */
  onSketch(map: SketchMap | undefined): void
}

/** The map until its library has loaded: the course on empty ground, which can be moved. */
export function Sketch({ way, isCooperative, onSketch }: SketchProps) {
  const { t } = useTranslation()
  const dark = useComputedColorScheme('light', { getInitialValueInEffect: false }) === 'dark'
  const ground = useRef<HTMLElement>(null)
  const [map, setMap] = useState<SketchMap>()
  useEffect(() => {
    const made = new SketchMap(ground.current!)
    setMap(made)
    onSketch(made)
    return () => {
      made.remove()
      onSketch(undefined)
    }
  }, [onSketch])
  useEffect(() => map && takeGestures(map, isCooperative), [map, isCooperative])
  useEffect(() => map?.draw(way, dark), [map, way, dark])
  return (
    <div className="sketch">
      <section
        ref={ground}
        className="sketch-ground"
        aria-label={t('live.mapLabel')}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: the keyboard moves the map, as it moves that of MapLibre
        tabIndex={0}
      />
      <div className="map-tools sketch-zoom">
        {([1, -1] as const).map((change) => (
          <button
            key={change}
            type="button"
            className="map-tool"
            aria-label={t(change > 0 ? 'map.zoomIn' : 'map.zoomOut')}
            onClick={({ nativeEvent }) => map && zoomBy(map, change, nativeEvent)}
          >
            {change > 0 ? <Plus size={18} aria-hidden /> : <Minus size={18} aria-hidden />}
          </button>
        ))}
      </div>
    </div>
  )
}
