import { Anchor, Button, Group, List, Paper, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { MapPin } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { EmptyState } from '../../ui/titles.tsx'
import { useRights } from '../access/rights.tsx'
import { settingsQuery } from '../api/queries.ts'
import { Command } from '../components/copy-fields.tsx'
import { ButtonLink } from '../components/links.tsx'
import { RowButton } from '../components/lists.tsx'
import { guides, paths } from '../components/paths.ts'
import { appCommands } from '../credentials/commands.ts'
import { ShownHandover } from '../credentials/handover.tsx'
import { PhoneTokenChoice, PlainToken } from '../credentials/phone-token-choice.tsx'
import { operatorListTokensOptions } from '../generated/@tanstack/react-query.gen.ts'

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
              <RowButton aria-expanded={shown === 'commands'} onClick={() => toggle('commands')}>
                {t('live.tryIt')}
              </RowButton>
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
  const tokens = useQuery({ ...operatorListTokensOptions({ path: { id: eventId } }), select: ({ tokens }) => tokens })
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
      {(token) => (shown === 'code' ? <ShownHandover shown={token} /> : <Commands token={token.token} />)}
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
