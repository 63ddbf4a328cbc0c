import { Button, Group, Stack, Text, Title } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { KeyRound, RefreshCw, Terminal } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { StackedTable } from '../../ui/stacked-table.tsx'
import { EmptyState } from '../../ui/titles.tsx'
import { settingsQuery } from '../api/queries.ts'
import { credentialAnswers } from '../api/query-client.ts'
import { Command } from '../components/copy-fields.tsx'
import { Dialog } from '../components/dialogs.tsx'
import { Loaded } from '../components/feedback.tsx'
import { routeIds } from '../components/paths.ts'
import { appCommands } from '../credentials/commands.ts'
import { CredentialAdd, NewCredential, useCredentialColumns } from '../credentials/credential-list.tsx'
import type { CredentialOwner } from '../credentials/credential-requests.ts'
import { RotateForm } from '../credentials/lifetime.tsx'
import { ParticipantsSection } from '../credentials/participants.tsx'
import { PlainToken } from '../credentials/phone-token-choice.tsx'
import { operatorListTokensOptions } from '../generated/@tanstack/react-query.gen.ts'
import { operatorRotateTokens } from '../generated/sdk.gen.ts'
import type { AppToken, ShownAppToken } from '../generated/types.gen.ts'
import { EventWebhooks } from '../webhooks/webhooks-panel.tsx'

/** The means of programs to work with an event: its app tokens, its webhooks, and commands to try it. */
export function DevelopersPage() {
  const { eventId } = useParams({ from: routeIds.event })
  return (
    <Stack gap="xl">
      <EventTokens eventId={eventId} />
      <EventWebhooks eventId={eventId} />
      <TestTrack eventId={eventId} />
    </Stack>
  )
}

/** Offers the commands that put a first track on the map, for people with a terminal and no phone at hand. */
function TestTrack({ eventId }: { eventId: string }) {
  const { t } = useTranslation()
  const [isShown, setShown] = useState(false)
  const tokens = useQuery({ ...operatorListTokensOptions({ path: { id: eventId } }), select: ({ tokens }) => tokens })
  const settings = useQuery(settingsQuery)
  const ofAll = tokens.data?.find(({ user_id, permissions }) => user_id === null && permissions.includes('record'))
  if (ofAll === undefined) return null
  return (
    <Stack gap="sm">
      <Group justify="space-between">
        <Text size="sm" c="dimmed">
          {t('first.tryHelp')}
        </Text>
        <Button
          size="xs"
          variant="default"
          leftSection={<Terminal size={16} aria-hidden />}
          aria-expanded={isShown}
          onClick={() => setShown(!isShown)}
        >
          {t('live.tryIt')}
        </Button>
      </Group>
      {isShown && (
        <PlainToken eventId={eventId} tokenId={ofAll.id}>
          {({ token }) => (
            <Stack gap="sm">
              {settings.data !== undefined &&
                appCommands(settings.data.base_url, token).map(({ key, command }) => (
                  <Command key={key} label={t(key)} command={command} />
                ))}
            </Stack>
          )}
        </PlainToken>
      )}
    </Stack>
  )
}

/** The tokens that let apps send to an event. */
function EventTokens({ eventId }: { eventId: string }) {
  const { t } = useTranslation()
  const owner = { kind: 'tokens', id: eventId } as const
  const tokens = useQuery({ ...operatorListTokensOptions({ path: { id: eventId } }), select: ({ tokens }) => tokens })
  return (
    <Stack>
      <Group justify="space-between">
        <div>
          <Title order={2} size="h3">
            {t('event.tokens')}
          </Title>
          <Text c="dimmed" maw={640}>
            {t('tokens.explanation')}
          </Text>
        </div>
        <Group>
          <CredentialAdd owner={owner} />
          <FirstTokenReplace owner={owner} />
        </Group>
      </Group>
      <Loaded query={tokens}>
        {(list) => (
          <>
            <TokenTable owner={owner} tokens={list.filter(({ user_id }) => user_id === null)} />
            <ParticipantsSection owner={owner} tokens={list.filter(({ user_id }) => user_id !== null)} />
          </>
        )}
      </Loaded>
    </Stack>
  )
}

/** Replaces the first token of an event, and shows the new one. */
function FirstTokenReplace({ owner }: { owner: CredentialOwner }) {
  const { t } = useTranslation()
  const client = useQueryClient()
  const [dialog, setDialog] = useState<'rotate' | ShownAppToken>()
  const close = () => setDialog(undefined)
  return (
    <>
      <Button variant="default" leftSection={<RefreshCw size={16} aria-hidden />} onClick={() => setDialog('rotate')}>
        {t('tokens.rotate')}
      </Button>
      <Dialog title={t('tokens.rotate')} opened={dialog === 'rotate'} onClose={close}>
        <RotateForm
          texts="tokens"
          rotate={(overlapSec) => operatorRotateTokens({ path: { id: owner.id }, body: { keep_sec: overlapSec } })}
          onRotated={async (shown) => {
            setDialog(shown)
            await client.invalidateQueries(credentialAnswers(owner.id))
          }}
          onCancel={close}
        />
      </Dialog>
      <NewCredential owner={owner} shown={typeof dialog === 'object' ? dialog : undefined} onClose={close} />
    </>
  )
}

function TokenTable({ owner, tokens }: { owner: CredentialOwner; tokens: readonly AppToken[] }) {
  const { t } = useTranslation()
  const columns = useCredentialColumns(owner, tokens.length === 1)
  if (tokens.length === 0) {
    return (
      <EmptyState icon={KeyRound} title={t('tokens.empty')}>
        {t('tokens.emptyHelp')}
      </EmptyState>
    )
  }
  return (
    <StackedTable label={t('event.tokens')} columns={Object.values(columns)} rows={tokens} rowId={({ id }) => id} />
  )
}
