import { useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { onPreview, postPreview } from '../../../map/preview-messages.ts'
import type { ShownMap } from '../../../map/shown-map.ts'
import { BASE_PATH, paths } from '../../navigation/paths.ts'
import type { StyleCheck } from './map-draft.ts'

type StylePreviewProps = { shown: ShownMap; onChecked(check: StyleCheck): void; height: number }

/** Shows a style in a frame, whose policy lets it load from anywhere, and reports which hosts that is. */
export function StylePreview({ shown, onChecked, height }: StylePreviewProps) {
  const { t } = useTranslation()
  const frame = useRef<HTMLIFrameElement>(null)
  const [isReady, setReady] = useState(false)

  useEffect(
    () =>
      onPreview(
        () => frame.current?.contentWindow,
        (message) => {
          if (message.state === 'ready') setReady(true)
          if (message.state !== 'loaded' && message.state !== 'failed') return
          const { state, styleUrl, darkStyleUrl } = message
          onChecked({ state, styleUrl, darkStyleUrl, origins: message.state === 'loaded' ? message.origins : [] })
        },
      ),
    [onChecked],
  )
  useEffect(() => {
    const view = frame.current?.contentWindow
    if (isReady && view) postPreview(view, { about: 'map-preview', state: 'show', shown })
  }, [isReady, shown])

  return (
    <iframe
      ref={frame}
      src={`${BASE_PATH}${paths.mapPreview}`}
      title={t('map.previewLabel')}
      style={{ width: '100%', height, border: 0, borderRadius: 'var(--mantine-radius-md)' }}
    />
  )
}
