import { Anchor, Button, Group, List, Paper, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { MapPin } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { EmptyState } from '../../../ui/empty-state.tsx'
import { useRights } from '../../access/rights.tsx'
import { tokensQuery } from '../../api/events.ts'
import { settingsQuery } from '../../api/settings.ts'
import { Command } from '../../components/command.tsx'
import { appCommands } from '../../events/app-commands.ts'
import { PhoneTokenChoice } from '../../events/phone-token-choice.tsx'
import { PlainToken } from '../../events/plain-token.tsx'
import { TokenHandover } from '../../events/token-handover.tsx'
import { ButtonLink } from '../../navigation/links.tsx'
import { guides, paths } from '../../navigation/paths.ts'

type Shown = 'code' | 'commands'

/**
 * Replaces the map and the list of an event without tracks: the steps to the first one, for those who may take them.
 */
export function FirstSteps({ eventId }: { eventId: string }) {
  const { t } = useTranslation()
  const { canEdit } = useRights()
  const [shown, setShown] = useState<Shown>()
  const toggle = (what: Shown) => setShown(shown === what ? undefined : what)
  if (!canEdit) {
    return (
      <EmptyState icon={MapPin} title={t('live.empty')}>
        {t('access.noTracksYet')}
      </EmptyState>
    )
  }
  return (
    <Stack>
      <EmptyState icon={MapPin} title={t('live.empty')}>
        {t('first.help')}
      </EmptyState>
      <Paper withBorder p="lg" bg="var(--panel-background)">
        <List type="ordered" spacing="lg" withPadding={false} styles={{ itemWrapper: { display: 'block' } }}>
          <List.Item>
            <Step title={t('first.connect')} help={t('first.connectHelp')}>
              <Button size="xs" aria-expanded={shown === 'code'} onClick={() => toggle('code')}>
                {t('first.showCode')}
              </Button>
              <ButtonLink size="xs" variant="default" to={paths.eventTokens} params={{ eventId }}>
                {t('live.toTokens')}
              </ButtonLink>
              <ButtonLink size="xs" variant="default" to={paths.eventPhones} params={{ eventId }}>
                {t('first.toPhones')}
              </ButtonLink>
            </Step>
          </List.Item>
          <List.Item>
            <Step title={t('first.try')} help={t('first.tryHelp')}>
              <Button
                size="xs"
                variant="default"
                aria-expanded={shown === 'commands'}
                onClick={() => toggle('commands')}
              >
                {t('live.tryIt')}
              </Button>
            </Step>
          </List.Item>
          <List.Item>
            <Step title={t('first.invite')} help={t('first.inviteHelp')}>
              <ButtonLink size="xs" variant="default" to={paths.eventSharing} params={{ eventId }}>
                {t('first.toSharing')}
              </ButtonLink>
            </Step>
          </List.Item>
        </List>
        <Text size="sm" c="dimmed" mt="lg">
          {t('first.guideHelp')}{' '}
          <Anchor href={guides.appDevelopers} target="_blank" inherit underline="always">
            {t('help.appDevelopers')}
          </Anchor>
        </Text>
      </Paper>
      {shown !== undefined && <TokenOf eventId={eventId} shown={shown} />}
    </Stack>
  )
}

type StepProps = { title: string; help: string; children: ReactNode }

function Step({ title, help, children }: StepProps) {
  return (
    <Group justify="space-between" align="flex-start" gap="sm">
      <div style={{ flex: '1 1 280px' }}>
        <Text fw={600}>{title}</Text>
        <Text size="sm" c="dimmed">
          {help}
        </Text>
      </div>
      <Group gap="xs">{children}</Group>
    </Group>
  )
}

/** Shows a token for phones as a code to scan, or commands for a terminal with a token that anyone may use. */
function TokenOf({ eventId, shown }: { eventId: string; shown: Shown }) {
  const tokens = useQuery(tokensQuery(eventId))
  const ofAll = tokens.data?.find(({ user_id, permissions }) => user_id === null && permissions.includes('record'))
  if (shown === 'commands' && ofAll !== undefined) {
    return (
      <PlainToken eventId={eventId} tokenId={ofAll.id}>
        {({ token }) => <Commands token={token} />}
      </PlainToken>
    )
  }
  return (
    <PhoneTokenChoice eventId={eventId}>
      {(token) => (shown === 'code' ? <TokenHandover token={token} /> : <Commands token={token.token} />)}
    </PhoneTokenChoice>
  )
}

function Commands({ token }: { token: string }) {
  const { t } = useTranslation()
  const settings = useQuery(settingsQuery)
  if (settings.data === undefined) return null
  return appCommands(settings.data.base_url, token).map(({ key, command }) => (
    <Command key={key} label={t(key)} command={command} />
  ))
}
