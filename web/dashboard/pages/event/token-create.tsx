import { TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useMutation } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { createToken, type ShownAppToken } from '../../api/events.ts'
import { SubmitForm } from '../../forms/submit-form.tsx'

type TokenCreateProps = { eventId: string; onCreated(token: ShownAppToken): unknown; onCancel(): void }

/** Adds a token to those that the event has. */
export function TokenCreate({ eventId, onCreated, onCancel }: TokenCreateProps) {
  const { t } = useTranslation()
  const form = useForm({ mode: 'uncontrolled', initialValues: { label: '' } })
  const creating = useMutation({
    mutationFn: (label: string) => createToken(eventId, { label: label === '' ? null : label }),
    onSuccess: onCreated,
  })
  return (
    <SubmitForm
      onSubmit={form.onSubmit(({ label }) => creating.mutate(label.trim()))}
      submitting={creating}
      submitLabel={t('tokens.createSubmit')}
      onCancel={onCancel}
    >
      <TextInput
        label={t('tokens.label')}
        description={t('tokens.labelHelp')}
        maxLength={200}
        autoComplete="off"
        data-autofocus
        key={form.key('label')}
        {...form.getInputProps('label')}
      />
    </SubmitForm>
  )
}
