import { Alert, Button, Group, List, Stack, Text, TextInput } from '@mantine/core'
import { Info } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import type { ShownMap } from '../../../map/shown-map.ts'
import { FormAlert } from '../../forms/form-alert.tsx'
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
      <TextInput
        label={t('map.styleUrl')}
        description={t('map.styleUrlHelp')}
        placeholder="https://"
        inputMode="url"
        autoComplete="off"
        required
        maxLength={2000}
        value={draft.style_url ?? ''}
        onChange={(event) => onChange({ style_url: event.currentTarget.value })}
      />
      <TextInput
        label={t('map.darkStyleUrl')}
        description={t('map.darkStyleUrlHelp')}
        placeholder="https://"
        inputMode="url"
        autoComplete="off"
        maxLength={2000}
        value={draft.dark_style_url ?? ''}
        onChange={(event) => onChange({ dark_style_url: event.currentTarget.value })}
      />
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
