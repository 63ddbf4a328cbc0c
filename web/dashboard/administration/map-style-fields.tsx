import { Alert, Button, Group, List, Stack, Text, TextInput } from '@mantine/core'
import { Info } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { onPreview, postPreview, type ShownMap } from '../../map/shown-map.ts'
import { FormAlert } from '../components/feedback.tsx'
import { BASE_PATH, paths } from '../components/paths.ts'
import { type MapDraft, OPEN_FREE_MAP, type StyleCheck } from './map-draft.ts'

type StyleFieldsProps = {
  draft: MapDraft
  shown: ShownMap | undefined
  check: StyleCheck | undefined
  onChange(changes: Partial<MapDraft>): void
}

/** The addresses of a style, and what choosing it means for the people who watch. */
export function StyleFields({ draft, shown, check, onChange }: StyleFieldsProps) {
  const { t } = useTranslation()
  return (
    <>
      <Group>
        <Button variant="default" onClick={() => onChange(OPEN_FREE_MAP)}>
          {t('map.openFreeMap')}
        </Button>
      </Group>
      {(['style_url', 'dark_style_url'] as const).map((field) => (
        <TextInput
          key={field}
          label={t(`map.${field}`)}
          description={t(`map.${field}_help`)}
          placeholder="https://"
          inputMode="url"
          autoComplete="off"
          required={field === 'style_url'}
          maxLength={2000}
          value={draft[field] ?? ''}
          onChange={(event) => onChange({ [field]: event.currentTarget.value })}
        />
      ))}
      <Alert icon={<Info aria-hidden />} variant="light" title={t('map.thirdParty')}>
        {t('map.thirdPartyHelp')}
      </Alert>
      <div role="status">{shown !== undefined && <CheckResult check={check} />}</div>
    </>
  )
}

function CheckResult({ check }: { check: StyleCheck | undefined }) {
  const { t } = useTranslation()
  if (check === undefined) return <Text size="sm">{t('map.styleLoading')}</Text>
  if (check.state === 'failed') return <FormAlert>{t('map.styleFailed')}</FormAlert>
  return (
    <Stack gap={4}>
      <Text size="sm">{t('map.styleHosts')}</Text>
      <List size="sm">
        {check.origins.map((origin) => (
          <List.Item key={origin} style={{ overflowWrap: 'anywhere' }}>
            {origin}
          </List.Item>
        ))}
      </List>
    </Stack>
  )
}

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
