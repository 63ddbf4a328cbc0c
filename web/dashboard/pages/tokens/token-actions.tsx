import { Button, Group } from '@mantine/core'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { type AppToken, revokeToken, shownTokenQuery } from '../../api/events.ts'
import { queryKeys } from '../../api/query-keys.ts'
import { Dialog } from '../../components/dialog.tsx'
import { TokenHandover } from '../../events/token-handover.tsx'
import { Loaded } from '../../feedback/loaded.tsx'
import { notify } from '../../feedback/notify.ts'
import { ConfirmDialog } from '../../forms/confirm-dialog.tsx'

type TokenActionsProps = {
  eventId: string
  token: AppToken
  /** The text by which people know the token. */
  name: string
  /** Set for the last token with which apps can send to the event. */
  isOnly?: boolean
}

/** Shows a token, and revokes it. */
export function TokenActions(props: TokenActionsProps) {
  const { eventId, token, name } = props
  const { t } = useTranslation()
  const [dialog, setDialog] = useState<'show' | 'revoke'>()
  const close = () => setDialog(undefined)
  return (
    <>
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
      <RevokeDialog {...props} opened={dialog === 'revoke'} onClose={close} />
    </>
  )
}

function ShownToken({ eventId, tokenId }: { eventId: string; tokenId: string }) {
  const query = useQuery(shownTokenQuery(eventId, tokenId))
  return <Loaded query={query}>{(token) => <TokenHandover token={token} />}</Loaded>
}

type RevokeDialogProps = TokenActionsProps & { opened: boolean; onClose(): void }

function RevokeDialog({ eventId, token, name, isOnly = false, opened, onClose }: RevokeDialogProps) {
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
      title={t('tokens.revokeThis', { name })}
      confirmLabel={t('tokens.revoke')}
    >
      {t('tokens.revokeHelp')} {isOnly && t('tokens.revokeLast')}
    </ConfirmDialog>
  )
}
