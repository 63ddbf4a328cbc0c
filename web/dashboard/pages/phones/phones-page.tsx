import { Alert, Anchor, Button, Group, NativeSelect, Stack, Text, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { Info, Smartphone } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { EmptyState } from '../../../ui/empty-state.tsx'
import { type AppToken, shownTokenQuery, tokensQuery } from '../../api/events.ts'
import { settingsQuery } from '../../api/settings.ts'
import { AddressWarning } from '../../components/address-warning.tsx'
import { phoneApps } from '../../events/phone-apps.ts'
import { Loaded } from '../../feedback/loaded.tsx'
import { FormAlert } from '../../forms/form-alert.tsx'
import { ButtonLink } from '../../navigation/links.tsx'
import { guides, paths, routeIds } from '../../navigation/paths.ts'
import { PhoneAppGuide } from './phone-app-guide.tsx'

/** The common apps that can record for an event: address, QR code and steps of each. */
export function PhonesPage() {
  const { t } = useTranslation()
  const { eventId } = useParams({ from: routeIds.event })
  const tokens = useQuery(tokensQuery(eventId))
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
      <Loaded query={tokens}>
        {(list) => {
          const recording = list.filter(({ permissions }) => permissions.includes('record'))
          return recording.length === 0 ? (
            <EmptyState icon={Smartphone} title={t('phones.noToken')}>
              <ButtonLink variant="default" to={paths.eventTokens} params={{ eventId }}>
                {t('live.toTokens')}
              </ButtonLink>
            </EmptyState>
          ) : (
            <TokenChoice eventId={eventId} tokens={recording} />
          )
        }}
      </Loaded>
    </Stack>
  )
}

function TokenChoice({ eventId, tokens }: { eventId: string; tokens: AppToken[] }) {
  const { t } = useTranslation()
  const [chosenId, setChosenId] = useState<string>()
  const token = tokens.find(({ id }) => id === chosenId) ?? tokens.find(({ is_first }) => is_first) ?? tokens[0]
  return (
    <Stack>
      <NativeSelect
        label={t('phones.token')}
        description={t(token.user_id === null ? 'phones.tokenOfAll' : 'phones.tokenOfOne', {
          user: token.user_id ?? '',
        })}
        maw={480}
        value={token.id}
        onChange={(change) => setChosenId(change.currentTarget.value)}
        data={tokens.map((one) => ({ value: one.id, label: nameOf(one) }))}
      />
      <AppsOfToken key={token.id} eventId={eventId} token={token} />
    </Stack>
  )
}

function nameOf({ label, masked, user_id }: AppToken): string {
  return [label ?? user_id, masked].filter((part) => part !== null).join(' · ')
}

function AppsOfToken({ eventId, token: { id, user_id } }: { eventId: string; token: AppToken }) {
  const { t } = useTranslation()
  const shown = useQuery(shownTokenQuery(eventId, id))
  const settings = useQuery(settingsQuery)
  return (
    <Loaded query={shown}>
      {({ token }) =>
        token === null ? (
          <FormAlert>{t('tokens.cannotShow')}</FormAlert>
        ) : (
          <Loaded query={settings}>
            {({ base_url }) => <Apps baseUrl={base_url} token={token} isForOne={user_id !== null} />}
          </Loaded>
        )
      }
    </Loaded>
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
