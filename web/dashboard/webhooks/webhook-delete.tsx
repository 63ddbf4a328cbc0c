import { Button } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { queryKeys } from '../api/query-keys.ts'
import { deleteWebhook, type Webhook, type WebhookOwner } from '../api/webhooks.ts'
import { notify } from '../feedback/notify.ts'
import { ConfirmDialog } from '../forms/confirm-dialog.tsx'

/** Deletes a webhook, once that is confirmed. */
export function WebhookDelete({ owner, webhook: { id, url } }: { owner: WebhookOwner; webhook: Webhook }) {
  const { t } = useTranslation()
  const client = useQueryClient()
  const [opened, { open, close }] = useDisclosure()
  const deleting = useMutation({
    mutationFn: () => deleteWebhook(owner, id),
    onSuccess: async () => {
      close()
      notify(t('webhooks.deleted'))
      await client.invalidateQueries({ queryKey: queryKeys.webhooks(owner.id), exact: true })
    },
  })
  return (
    <>
      <Button size="xs" variant="default" aria-label={t('webhooks.deleteThis', { url })} onClick={open}>
        {t('webhooks.delete')}
      </Button>
      <ConfirmDialog
        opened={opened}
        onClose={close}
        onConfirm={() => deleting.mutate()}
        confirming={deleting}
        title={t('webhooks.deleteTitle')}
        confirmLabel={t('webhooks.delete')}
      >
        {t('webhooks.deleteHelp')}
      </ConfirmDialog>
    </>
  )
}
