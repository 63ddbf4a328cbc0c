import { Alert, Anchor, Button, Group, List, Paper, Stack, Text, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { ExternalLink, Info } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { QrCode } from '../../ui/qr-code.tsx'
import { settingsQuery } from '../api/queries.ts'
import { AddressWarning, CopyField } from '../components/copy-fields.tsx'
import { Loaded } from '../components/feedback.tsx'
import { guides, routeIds } from '../components/paths.ts'
import { type PhoneApp, phoneApps } from './phone-apps.ts'
import { PhoneTokenChoice } from './phone-token-choice.tsx'

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

/** Shows how to set one app up: the steps, the address, and the QR code or link that does it. */
function PhoneAppGuide({ app }: { app: PhoneApp }) {
  const { t } = useTranslation()
  const { title, systems, address, setupLink, qrText, steps } = app
  return (
    <Group align="flex-start">
      <Stack flex="1 1 400px" miw={0}>
        <Paper withBorder p="md" bg="var(--panel-background)">
          <Title order={3} size="h4">
            {title}
          </Title>
          <Text size="sm" c="dimmed" mb="sm">
            {systems}
          </Text>
          <List type="ordered" spacing="xs">
            {steps.map((key) => (
              <List.Item key={key}>{t(key)}</List.Item>
            ))}
          </List>
        </Paper>
        <CopyField
          label={t('phones.address')}
          value={address}
          actions={
            setupLink !== undefined && (
              <Button
                component="a"
                href={setupLink}
                size="xs"
                variant="default"
                leftSection={<ExternalLink size={16} aria-hidden />}
              >
                {t('phones.openApp')}
              </Button>
            )
          }
        />
      </Stack>
      <Paper withBorder p="md" bg="var(--panel-background)" w={{ base: '100%', sm: 'auto' }}>
        <Stack align="center" maw={264} mx="auto">
          <QrCode text={qrText} label={t('phones.qr', { app: title })} sizePx={232} />
          <Text size="sm" c="dimmed" ta="center">
            {t(qrText === setupLink ? 'phones.qrLink' : 'phones.qrAddress')}
          </Text>
        </Stack>
      </Paper>
    </Group>
  )
}
