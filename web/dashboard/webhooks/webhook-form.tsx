import { Button, Checkbox, Group, Stack, Text, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { hasStatus } from '../api/api-error.ts'
import { CopyField } from '../components/copy-fields.tsx'
import { Dialog } from '../components/dialogs.tsx'
import { FormAlert } from '../components/feedback.tsx'
import { ResourceForm } from '../components/forms.tsx'
import { RowButton } from '../components/lists.tsx'
import { RotateForm } from '../credentials/lifetime.tsx'
import {
  type Webhook,
  type WebhookOwner,
  type WebhookWithSecret,
  webhookRequests,
  webhooksQuery,
} from './webhook-requests.ts'

type WebhookFormProps = { owner: WebhookOwner; onCreated(webhook: WebhookWithSecret): unknown; onCancel(): void }

/** Creates a webhook. */
export function WebhookForm({ owner, onCreated, onCancel }: WebhookFormProps) {
  const { t } = useTranslation()
  const all: readonly string[] = webhookRequests[owner.kind].types
  const form = useForm({
    initialValues: { url: '', types: [...all] },
    validate: {
      url: (url) => (URL.canParse(url.trim()) ? null : t('webhooks.urlWrong')),
      types: (types) => (types.length > 0 ? null : t('webhooks.typesMissing')),
    },
  })
  return (
    <ResourceForm
      form={form}
      save={({ url, types }): Promise<WebhookWithSecret> =>
        webhookRequests[owner.kind].create({
          path: { id: owner.id },
          body: { url: url.trim(), types: (types.length === all.length ? null : types) as never },
        })
      }
      onSaved={onCreated}
      submitLabel={t('webhooks.createSubmit')}
      onCancel={onCancel}
      describe={(error) => hasStatus(error, 400) && <FormAlert>{t('webhooks.urlRefused')}</FormAlert>}
    >
      <TextInput
        type="url"
        label={t('webhooks.url')}
        description={t('webhooks.urlHelp')}
        placeholder="https://"
        maxLength={2048}
        autoComplete="off"
        required
        data-autofocus
        {...form.getInputProps('url')}
      />
      <Checkbox.Group
        label={t('webhooks.types')}
        description={t('webhooks.typesHelp')}
        {...form.getInputProps('types')}
      >
        <Stack gap="xs" mt="xs">
          {all.map((type) => (
            <Checkbox key={type} value={type} label={<code>{type}</code>} />
          ))}
        </Stack>
      </Checkbox.Group>
    </ResourceForm>
  )
}

/** Exchanges the secret of a webhook, and shows the new one once. */
export function WebhookSecret({ owner, webhook }: { owner: WebhookOwner; webhook: Webhook }) {
  const { t } = useTranslation()
  const client = useQueryClient()
  const [dialog, setDialog] = useState<'exchange' | { secret: string }>()
  const close = () => setDialog(undefined)
  const { id, url } = webhook
  return (
    <>
      <RowButton aria-label={t('webhooks.exchangeThis', { url })} onClick={() => setDialog('exchange')}>
        {t('webhooks.exchange')}
      </RowButton>
      <Dialog title={t('webhooks.exchange')} opened={dialog === 'exchange'} onClose={close}>
        <RotateForm
          texts="webhooks"
          rotate={(overlapSec): Promise<WebhookWithSecret> =>
            webhookRequests[owner.kind].exchangeSecret({
              path: { id: owner.id, webhookId: id },
              body: { keep: `${overlapSec}s` },
            })
          }
          onRotated={async ({ secret }) => {
            setDialog({ secret })
            await client.invalidateQueries({ queryKey: webhooksQuery(owner).queryKey })
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

/** Shows the secret of a webhook, for the only time. */
export function SecretHandover({ secret, onDone }: { secret: string; onDone(): void }) {
  const { t } = useTranslation()
  return (
    <Stack>
      <Text role="status">{t('webhooks.secretHelp')}</Text>
      <CopyField label={t('webhooks.secret')} value={secret} />
      <Group justify="flex-end">
        <Button onClick={onDone}>{t('action.done')}</Button>
      </Group>
    </Stack>
  )
}
