import { Alert, Anchor, Button, Group, Stack, Text, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { Info } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { settingsQuery } from '../../api/settings.ts'
import { AddressWarning } from '../../components/address-warning.tsx'
import { phoneApps } from '../../events/phone-apps.ts'
import { PhoneTokenChoice } from '../../events/phone-token-choice.tsx'
import { Loaded } from '../../feedback/loaded.tsx'
import { guides, routeIds } from '../../navigation/paths.ts'
import { PhoneAppGuide } from './phone-app-guide.tsx'

/** The common apps that can record for an event: address, QR code and steps of each. */
export function PhonesPage() {
  const { t } = useTranslation()
  const { eventId } = useParams({ from: routeIds.event })
  const settings = useQuery(settingsQuery)
  return (
    <Stack>
      <Title order={2} size="h4">
        {t('phones.title')}
      </Title>
      <Text c="dimmed" maw={640}>
        {t('phones.explanation')}{' '}
        <Anchor href={guides.phoneApps} target="_blank" inherit underline="always">
          {t('phones.guide')}
        </Anchor>
      </Text>
      <PhoneTokenChoice eventId={eventId}>
        {({ token, user_id }) => (
          <Loaded query={settings}>
            {({ base_url }) => <Apps baseUrl={base_url} token={token} isForOne={user_id !== null} />}
          </Loaded>
        )}
      </PhoneTokenChoice>
    </Stack>
  )
}

function Apps({ baseUrl, token, isForOne }: { baseUrl: string; token: string; isForOne: boolean }) {
  const { t } = useTranslation()
  const apps = phoneApps(baseUrl, token, isForOne)
  const [name, setName] = useState<string>(apps[0].name)
  const app = apps.find((one) => one.name === name) ?? apps[0]
  return (
    <Stack>
      <AddressWarning address={baseUrl} />
      {!isForOne && (
        <Alert icon={<Info aria-hidden />} title={t('phones.idTitle')} maw={760}>
          <Text size="sm">{t('phones.idHelp')}</Text>
        </Alert>
      )}
      <Group gap="xs" role="group" aria-label={t('phones.app')}>
        {apps.map(({ name: value, title }) => (
          <Button
            key={value}
            size="xs"
            variant={value === app.name ? 'filled' : 'default'}
            aria-pressed={value === app.name}
            onClick={() => setName(value)}
          >
            {title}
          </Button>
        ))}
      </Group>
      <PhoneAppGuide app={app} />
    </Stack>
  )
}
