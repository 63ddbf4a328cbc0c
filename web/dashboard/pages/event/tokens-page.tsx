import { Button, Group, Modal, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { KeyRound, Plus, RefreshCw } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { EmptyState } from '../../../ui/empty-state.tsx'
import { StackedTable } from '../../../ui/stacked-table.tsx'
import { type AppToken, type ShownAppToken, tokensQuery } from '../../api/events.ts'
import { TokenHandover } from '../../events/token-handover.tsx'
import { Loaded } from '../../feedback/loaded.tsx'
import { routeIds } from '../../navigation/paths.ts'
import { TokenCreate } from './token-create.tsx'
import { TokenRotate } from './token-rotate.tsx'
import { TokenRow } from './token-row.tsx'

type Dialog = 'create' | 'rotate' | { shown: ShownAppToken } | undefined

/** The tokens with which apps send to an event. */
export function TokensPage() {
  const { t } = useTranslation()
  const { eventId } = useParams({ from: routeIds.event })
  const tokens = useQuery(tokensQuery(eventId))
  const [dialog, setDialog] = useState<Dialog>()
  const close = () => setDialog(undefined)
  const show = (shown: ShownAppToken) => setDialog({ shown })
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
        {(list) =>
          list.length === 0 ? (
            <EmptyState icon={KeyRound} title={t('tokens.empty')}>
              {t('tokens.emptyHelp')}
            </EmptyState>
          ) : (
            <TokenTable eventId={eventId} tokens={list} />
          )
        }
      </Loaded>
      <TokenDialog title={t('tokens.create')} opened={dialog === 'create'} onClose={close}>
        <TokenCreate eventId={eventId} onCreated={show} onCancel={close} />
      </TokenDialog>
      <TokenDialog title={t('tokens.rotate')} opened={dialog === 'rotate'} onClose={close}>
        <TokenRotate eventId={eventId} onRotated={show} onCancel={close} />
      </TokenDialog>
      <TokenDialog title={t('tokens.new')} opened={typeof dialog === 'object'} onClose={close} wide>
        {typeof dialog === 'object' && dialog.shown.token !== null && <TokenHandover token={dialog.shown.token} />}
      </TokenDialog>
    </Stack>
  )
}

type TokenDialogProps = {
  title: string
  opened: boolean
  onClose(): void
  wide?: boolean
  children: React.ReactNode
}

function TokenDialog({ title, opened, onClose, wide, children }: TokenDialogProps) {
  const { t } = useTranslation()
  return (
    <Modal
      opened={opened}
      onClose={onClose}
      title={title}
      size={wide ? 'xl' : 'md'}
      closeButtonProps={{ 'aria-label': t('action.close') }}
    >
      {children}
    </Modal>
  )
}

function TokenTable({ eventId, tokens }: { eventId: string; tokens: AppToken[] }) {
  const { t } = useTranslation()
  return (
    <StackedTable
      label={t('event.tokens')}
      heads={[
        t('token.token'),
        t('tokens.label'),
        t('tokens.createdAt'),
        t('tokens.lastUsed'),
        t('tokens.expires'),
        t('table.actions'),
      ]}
    >
      {tokens.map((token) => (
        <TokenRow key={token.id} eventId={eventId} token={token} isOnly={tokens.length === 1} />
      ))}
    </StackedTable>
  )
}
