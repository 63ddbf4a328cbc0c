import { Alert, Anchor, Button, Group, List, Paper, Stack, Text, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { ExternalLink, Info } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { runnerPageAddress } from '../../../src/tracks/phones/phone-links.ts'
import { QrCode } from '../../ui/qr-code.tsx'
import { settingsQuery } from '../api/queries.ts'
import { AddressWarning, CopyField, OpenButton } from '../components/copy-fields.tsx'
import { Loaded } from '../components/feedback.tsx'
import { guideIn, guides, routeIds } from '../components/paths.ts'
import { operatorListTokensOptions } from '../generated/@tanstack/react-query.gen.ts'
import type { ShownAppToken } from '../generated/types.gen.ts'
import { CodesForAll } from './codes-for-all.tsx'
import { personOf, runnersById, useRunners } from './person-codes.ts'
import { type PhoneApp, phoneApps, systemsText } from './phone-apps.ts'
import { PhoneTokenChoice } from './phone-token-choice.tsx'

/** Shows the ways onto the map: a code for each person, one for everyone, and the apps with their addresses. */
export function PhonesPage() {
  const { t, i18n } = useTranslation()
  const { eventId } = useParams({ from: routeIds.event })
  const tokens = useQuery({ ...operatorListTokensOptions({ path: { id: eventId } }), select: ({ tokens }) => tokens })
  return (
    <Stack>
      <Title order={2} size="h4">
        {t('phones.title')}
      </Title>
      <Text c="dimmed" maw={640}>
        {t('phones.explanation')}{' '}
        <Anchor href={guideIn(i18n.language, guides.phoneApps)} target="_blank" inherit underline="always">
          {t('phones.guide')}
        </Anchor>
      </Text>
      <Loaded query={tokens}>{(list) => <CodesForAll eventId={eventId} tokens={list} />}</Loaded>
      <Title order={3} size="h4" mt="md">
        {t('codes.single')}
      </Title>
      <PhoneTokenChoice eventId={eventId}>
        {(token, isChosen) => <PhoneCode eventId={eventId} shown={token} isChosen={isChosen} />}
      </PhoneTokenChoice>
    </Stack>
  )
}

type PhoneCodeProps = { eventId: string; shown: ShownAppToken & { token: string }; isChosen: boolean }

/** A code, said to be whose it is, and the set-up of each app by hand. */
function PhoneCode({ eventId, shown, isChosen }: PhoneCodeProps) {
  const { t } = useTranslation()
  const settings = useQuery(settingsQuery)
  const runners = useRunners(eventId)
  const { token, user_id } = shown
  const { fullName } = personOf(shown, runnersById(runners.data ?? []))
  const isForOne = user_id !== null
  return (
    <Loaded query={settings}>
      {({ base_url: baseUrl }) => {
        const address = runnerPageAddress(baseUrl, token)
        const title = isForOne ? t('codes.personalOf', { name: fullName }) : t('codes.ofWholeEvent')
        return (
          <Stack>
            <AddressWarning address={baseUrl} users="phones" />
            <Paper withBorder p="md" bg="var(--panel-background)">
              <Group align="flex-start">
                <QrCode text={address} label={t('codes.qr', { title })} sizePx={200} />
                <Stack gap="xs" flex="1 1 280px">
                  <CodeTitle isChosen={isChosen}>{title}</CodeTitle>
                  <Text>{t(isForOne ? 'phones.tokenOfOne' : 'phones.tokenOfAll')}</Text>
                  <Text c="dimmed" size="sm">
                    {t('codes.pageHelp')}
                  </Text>
                  <CopyField label={t('codes.address')} value={address} actions={<OpenButton href={address} />} />
                </Stack>
              </Group>
            </Paper>
            <Apps baseUrl={baseUrl} token={token} isForOne={isForOne} />
          </Stack>
        )
      }}
    </Loaded>
  )
}

/** The heading of a code. It takes the focus if what made the code has had it, and is gone. */
function CodeTitle({ isChosen, children }: { isChosen: boolean; children: string }) {
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => {
    if (isChosen && document.activeElement === document.body) heading.current?.focus()
  }, [isChosen])
  return (
    <Title order={4} size="h4" ref={heading} tabIndex={-1}>
      {children}
    </Title>
  )
}

function Apps({ baseUrl, token, isForOne }: { baseUrl: string; token: string; isForOne: boolean }) {
  const { t } = useTranslation()
  const apps = phoneApps(baseUrl, token, isForOne)
  const [name, setName] = useState<string>(apps[0].name)
  const app = apps.find((one) => one.name === name) ?? apps[0]
  return (
    <Stack>
      <Title order={4} size="h5">
        {t('phones.byHand')}
      </Title>
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
  const { title, address, setupLink, qrText, steps } = app
  return (
    <Group align="flex-start">
      <Stack flex="1 1 400px" miw={0}>
        <Paper withBorder p="md" bg="var(--panel-background)">
          <Title order={5} size="h4">
            {title}
          </Title>
          <Text size="sm" c="dimmed" mb="sm">
            {systemsText(app)}
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
