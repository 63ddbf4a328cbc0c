import { Checkbox, Stack, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useMutation } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { ApiError } from '../api/api-error.ts'
import { createWebhook, MESSAGE_TYPES, type WebhookOwner, type WebhookWithSecret } from '../api/webhooks.ts'
import { FormAlert } from '../forms/form-alert.tsx'
import { SubmitForm } from '../forms/submit-form.tsx'

type WebhookFormProps = { owner: WebhookOwner; onCreated(webhook: WebhookWithSecret): unknown; onCancel(): void }

/** Creates a webhook. */
export function WebhookForm({ owner, onCreated, onCancel }: WebhookFormProps) {
  const { t } = useTranslation()
  const all: readonly string[] = MESSAGE_TYPES[owner.kind]
  const form = useForm({
    initialValues: { url: '', types: [...all] },
    validate: {
      url: (url) => (URL.canParse(url.trim()) ? null : t('webhooks.urlWrong')),
      types: (types) => (types.length > 0 ? null : t('webhooks.typesMissing')),
    },
  })
  const creating = useMutation({
    mutationFn: ({ url, types }: { url: string; types: string[] }) =>
      createWebhook(owner, { url: url.trim(), types: types.length === all.length ? null : types }),
    onSuccess: onCreated,
  })
  return (
    <SubmitForm
      onSubmit={form.onSubmit((values) => creating.mutate(values))}
      submitting={creating}
      submitLabel={t('webhooks.createSubmit')}
      onCancel={onCancel}
      describe={(error) =>
        error instanceof ApiError && error.status === 400 && <FormAlert>{t('webhooks.urlRefused')}</FormAlert>
      }
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
    </SubmitForm>
  )
}
