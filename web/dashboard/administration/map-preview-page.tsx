import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { MapView } from '../../map/map-view.tsx'
import { findStyleOrigins } from '../../map/provided-style.ts'
import { onPreview, postPreview, type ShownMap } from '../../map/shown-map.ts'
import { useMapLocale } from '../components/map-place.tsx'

/**
 * Shows a style within the page of settings before it is chosen, and tells that page which hosts it loads from. It does
 * what the page of settings says, and nothing by itself.
 */
export function MapPreviewPage() {
  const { t } = useTranslation()
  const locale = useMapLocale()
  const [shown, setShown] = useState<ShownMap>()

  useEffect(() => {
    if (parent === window) return
    const leave = onPreview(
      () => parent,
      (message) => {
        if (message.state === 'show') setShown(message.shown)
      },
    )
    postPreview(parent, { about: 'map-preview', state: 'ready' })
    return leave
  }, [])

  useEffect(() => {
    if (shown === undefined || shown.style_url === null) return
    const { style_url: styleUrl, dark_style_url: darkStyleUrl } = shown
    const about = { about: 'map-preview', styleUrl, darkStyleUrl } as const
    const addresses = [styleUrl, darkStyleUrl].filter((address) => address !== null)
    Promise.all(addresses.map(findStyleOrigins)).then(
      (origins) => postPreview(parent, { ...about, state: 'loaded', origins: [...new Set(origins.flat())] }),
      () => postPreview(parent, { ...about, state: 'failed' }),
    )
  }, [shown])

  if (shown === undefined) return null
  return (
    <main>
      <MapView
        shown={shown}
        label={t('map.previewLabel')}
        locale={locale}
        failedLabel={t('map.failed')}
        onStyle={drawNothing}
        height="100dvh"
      />
    </main>
  )
}

function drawNothing(): void {}
