import { Button, Group, Stack, Text, Title } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { KeyRound, RefreshCw } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { StackedTable } from '../../ui/stacked-table.tsx'
import { EmptyState } from '../../ui/titles.tsx'
import { credentialAnswers } from '../api/query-client.ts'
import { Dialog } from '../components/dialogs.tsx'
import { Loaded } from '../components/feedback.tsx'
import { operatorListTokensOptions } from '../generated/@tanstack/react-query.gen.ts'
import { operatorRotateTokens } from '../generated/sdk.gen.ts'
import type { AppToken, ShownAppToken } from '../generated/types.gen.ts'
import { CredentialAdd, NewCredential, useCredentialColumns } from './credential-list.tsx'
import type { CredentialOwner } from './credential-requests.ts'
import { RotateForm } from './lifetime.tsx'
import { ParticipantsSection } from './participants.tsx'

/** The tokens that let apps send to an event. */
export function EventTokens({ eventId }: { eventId: string }) {
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
