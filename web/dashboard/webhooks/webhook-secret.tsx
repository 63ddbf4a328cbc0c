import { Button } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { queryKeys } from '../api/query-keys.ts'
import { exchangeSecret, type Webhook, type WebhookOwner } from '../api/webhooks.ts'
import { Dialog } from '../components/dialog.tsx'
import { RotateForm } from '../forms/rotate-form.tsx'
import { SecretHandover } from './secret-handover.tsx'

/** Exchanges the secret of a webhook, and shows the new one once. */
export function WebhookSecret({ owner, webhook }: { owner: WebhookOwner; webhook: Webhook }) {
  const { t } = useTranslation()
  const client = useQueryClient()
  const [dialog, setDialog] = useState<'exchange' | { secret: string }>()
  const close = () => setDialog(undefined)
  const { id, url } = webhook
  return (
    <>
      <Button
        size="xs"
        variant="default"
        aria-label={t('webhooks.exchangeThis', { url })}
        onClick={() => setDialog('exchange')}
      >
        {t('webhooks.exchange')}
      </Button>
      <Dialog title={t('webhooks.exchange')} opened={dialog === 'exchange'} onClose={close}>
        <RotateForm
          help={t('webhooks.exchangeHelp')}
          overlapLabel={t('webhooks.overlap')}
          submitLabel={t('webhooks.exchangeSubmit')}
          rotate={(overlapSec) => exchangeSecret(owner, id, overlapSec)}
          onRotated={async ({ secret }) => {
            setDialog({ secret })
            await client.invalidateQueries({ queryKey: queryKeys.webhooks(owner.id) })
          }}
          onCancel={close}
        />
      </Dialog>
      <Dialog title={t('webhooks.newSecret')} opened={typeof dialog === 'object'} onClose={close} size="lg">
        {typeof dialog === 'object' && <SecretHandover secret={dialog.secret} onDone={close} />}
      </Dialog>
    </>
  )
}
