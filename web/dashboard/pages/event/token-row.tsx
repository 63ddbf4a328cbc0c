import { Button, Code, Group } from '@mantine/core'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { StackedCell, StackedRow } from '../../../ui/stacked-table.tsx'
import { type AppToken, revokeToken, shownTokenQuery } from '../../api/events.ts'
import { queryKeys } from '../../api/query-keys.ts'
import { Ago } from '../../components/ago.tsx'
import { Dialog } from '../../components/dialog.tsx'
import { TokenHandover } from '../../events/token-handover.tsx'
import { Loaded } from '../../feedback/loaded.tsx'
import { notify } from '../../feedback/notify.ts'
import { ConfirmDialog } from '../../forms/confirm-dialog.tsx'
import { FormAlert } from '../../forms/form-alert.tsx'
import { useFormat } from '../../i18n/format.ts'

type TokenRowProps = { eventId: string; token: AppToken; isOnly: boolean }

/** One token of an event, with its last use and its actions. */
export function TokenRow({ eventId, token, isOnly }: TokenRowProps) {
  const { t } = useTranslation()
  const format = useFormat()
  const [dialog, setDialog] = useState<'show' | 'revoke'>()
  const close = () => setDialog(undefined)
  const name = token.label ?? token.masked
  return (
    <StackedRow>
      <StackedCell head={t('token.token')}>
        <Code>{token.masked}</Code>
      </StackedCell>
      <StackedCell head={t('tokens.label')}>{token.label ?? '–'}</StackedCell>
      <StackedCell head={t('field.created')}>{format.date(token.created_at)}</StackedCell>
      <StackedCell head={t('tokens.lastUsed')}>
        {token.last_used_at === null ? t('tokens.never') : <Ago time={token.last_used_at} />}
      </StackedCell>
      <StackedCell head={t('field.expires')}>
        {token.expires_at === null ? '–' : format.dateTime(token.expires_at)}
      </StackedCell>
      <StackedCell>
        <Group gap="xs" wrap="nowrap">
          <Button
            size="xs"
            variant="default"
            onClick={() => setDialog('show')}
            aria-label={t('tokens.showThis', { name })}
          >
            {t('tokens.show')}
          </Button>
          <Button
            size="xs"
            variant="default"
            onClick={() => setDialog('revoke')}
            aria-label={t('tokens.revokeThis', { name })}
          >
            {t('tokens.revoke')}
          </Button>
        </Group>
        <Dialog title={name} opened={dialog === 'show'} onClose={close} size="xl">
          <ShownToken eventId={eventId} tokenId={token.id} />
        </Dialog>
        <RevokeDialog eventId={eventId} token={token} isOnly={isOnly} opened={dialog === 'revoke'} onClose={close} />
      </StackedCell>
    </StackedRow>
  )
}

function ShownToken({ eventId, tokenId }: { eventId: string; tokenId: string }) {
  const { t } = useTranslation()
  const query = useQuery(shownTokenQuery(eventId, tokenId))
  return (
    <Loaded query={query}>
      {({ token }) =>
        token === null ? <FormAlert>{t('tokens.cannotShow')}</FormAlert> : <TokenHandover token={token} />
      }
    </Loaded>
  )
}

type RevokeDialogProps = TokenRowProps & { opened: boolean; onClose(): void }

function RevokeDialog({ eventId, token, isOnly, opened, onClose }: RevokeDialogProps) {
  const { t } = useTranslation()
  const client = useQueryClient()
  const revoking = useMutation({
    mutationFn: () => revokeToken(eventId, token.id),
    onSuccess: async () => {
      onClose()
      notify(t('tokens.revoked'))
      await client.invalidateQueries({ queryKey: queryKeys.tokens(eventId) })
    },
  })
  return (
    <ConfirmDialog
      opened={opened}
      onClose={onClose}
      onConfirm={() => revoking.mutate()}
      confirming={revoking}
      title={t('tokens.revokeThis', { name: token.label ?? token.masked })}
      confirmLabel={t('tokens.revoke')}
    >
      {t('tokens.revokeHelp')} {isOnly && t('tokens.revokeLast')}
    </ConfirmDialog>
  )
}
