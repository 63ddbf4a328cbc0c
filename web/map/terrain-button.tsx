import type { IControl, MapLibreMap } from 'maplibre-gl'
import { useEffect, useState } from 'react'
import { createPortal } from 'react-dom'

type TerrainButtonProps = { map: MapLibreMap; label: string; isOn: boolean; onChange(on: boolean): void }

/** A button in a corner of the map that shows and hides the terrain. */
export function TerrainButton({ map, label, isOn, onChange }: TerrainButtonProps) {
  const [place, setPlace] = useState<HTMLElement>()

  useEffect(() => {
    const group = document.createElement('div')
    group.className = 'maplibregl-ctrl maplibregl-ctrl-group'
    const control: IControl = { onAdd: () => group, onRemove: () => group.remove() }
    map.addControl(control, 'top-left')
    setPlace(group)
    return () => {
      // A map that has been removed has no controls either.
      if (map.hasControl(control)) map.removeControl(control)
    }
  }, [map])

  if (place === undefined) return null
  return createPortal(
    <button
      type="button"
      className="map-terrain"
      title={label}
      aria-label={label}
      aria-pressed={isOn}
      onClick={() => onChange(!isOn)}
    >
      <svg viewBox="0 0 24 24" aria-hidden="true">
        <path d="m8 3 4 8 5-5 5 15H2L8 3z" />
      </svg>
    </button>,
    place,
  )
}
