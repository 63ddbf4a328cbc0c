import { Button, Group, Stack, Text } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { KeyRound, Plus, RefreshCw } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { EmptyState } from '../../../ui/empty-state.tsx'
import { StackedTable } from '../../../ui/stacked-table.tsx'
import { type AppToken, rotateTokens, type ShownAppToken, tokensQuery } from '../../api/events.ts'
import { queryKeys } from '../../api/query-keys.ts'
import { Dialog } from '../../components/dialog.tsx'
import { TokenHandover } from '../../events/token-handover.tsx'
import { Loaded } from '../../feedback/loaded.tsx'
import { RotateForm } from '../../forms/rotate-form.tsx'
import { routeIds } from '../../navigation/paths.ts'
import { ParticipantsSection } from './participants-section.tsx'
import { TokenCreate } from './token-create.tsx'
import { TokenRow } from './token-row.tsx'

type OpenDialog = 'create' | 'rotate' | { shown: ShownAppToken } | undefined

/** The tokens that let apps send to an event. */
export function TokensPage() {
  const { t } = useTranslation()
  const { eventId } = useParams({ from: routeIds.event })
  const client = useQueryClient()
  const tokens = useQuery(tokensQuery(eventId))
  const [dialog, setDialog] = useState<OpenDialog>()
  const close = () => setDialog(undefined)
  const show = async (shown: ShownAppToken) => {
    setDialog({ shown })
    await client.invalidateQueries({ queryKey: queryKeys.tokens(eventId) })
  }
  const shown = typeof dialog === 'object' ? dialog.shown : undefined
  return (
    <Stack>
      <Group justify="space-between">
        <Text c="dimmed" maw={640}>
          {t('tokens.explanation')}
        </Text>
        <Group>
          <Button variant="default" leftSection={<Plus size={16} aria-hidden />} onClick={() => setDialog('create')}>
            {t('tokens.create')}
          </Button>
          <Button
            variant="default"
            leftSection={<RefreshCw size={16} aria-hidden />}
            onClick={() => setDialog('rotate')}
          >
            {t('tokens.rotate')}
          </Button>
        </Group>
      </Group>
      <Loaded query={tokens}>
        {(list) => (
          <>
            <TokenTable eventId={eventId} tokens={list.filter(({ user_id }) => user_id === null)} />
            <ParticipantsSection eventId={eventId} tokens={list.filter(({ user_id }) => user_id !== null)} />
          </>
        )}
      </Loaded>
      <Dialog title={t('tokens.create')} opened={dialog === 'create'} onClose={close}>
        <TokenCreate eventId={eventId} onCreated={show} onCancel={close} />
      </Dialog>
      <Dialog title={t('tokens.rotate')} opened={dialog === 'rotate'} onClose={close}>
        <RotateForm
          help={t('tokens.rotateHelp')}
          overlapLabel={t('tokens.overlap')}
          submitLabel={t('tokens.rotateSubmit')}
          rotate={(overlapSec) => rotateTokens(eventId, { keep_sec: overlapSec })}
          onRotated={show}
          onCancel={close}
        />
      </Dialog>
      <Dialog title={t('tokens.new')} opened={typeof dialog === 'object'} onClose={close} size="xl">
        {shown !== undefined && <TokenHandover token={shown} />}
      </Dialog>
    </Stack>
  )
}

function TokenTable({ eventId, tokens }: { eventId: string; tokens: AppToken[] }) {
  const { t } = useTranslation()
  if (tokens.length === 0) {
    return (
      <EmptyState icon={KeyRound} title={t('tokens.empty')}>
        {t('tokens.emptyHelp')}
      </EmptyState>
    )
  }
  return (
    <StackedTable
      label={t('event.tokens')}
      heads={[
        t('token.token'),
        t('tokens.label'),
        t('tokens.permissions'),
        t('field.created'),
        t('tokens.lastUsed'),
        t('field.expires'),
        t('table.actions'),
      ]}
    >
      {tokens.map((token) => (
        <TokenRow key={token.id} eventId={eventId} token={token} isOnly={tokens.length === 1} />
      ))}
    </StackedTable>
  )
}
