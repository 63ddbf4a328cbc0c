import { Text, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { hasStatus } from '../../api/api-error.ts'
import { createOperator, type SignInLink } from '../../api/operators.ts'
import { queryKeys } from '../../api/query-keys.ts'
import { FormAlert } from '../../forms/form-alert.tsx'
import { SubmitForm } from '../../forms/submit-form.tsx'
import { isComplete, NEW_OPERATOR, RoleFields, rightsOf } from './role-fields.tsx'
import { useLimitChoices } from './use-limit-choices.ts'

type OperatorCreateProps = { onCreated(name: string, link: SignInLink): void; onCancel(): void }

/** Adds an operator, who sets a password with the link that is shown next. */
export function OperatorCreate({ onCreated, onCancel }: OperatorCreateProps) {
  const { t } = useTranslation()
  const client = useQueryClient()
  const form = useForm({
    mode: 'uncontrolled',
    initialValues: { name: '' },
    validate: { name: (name) => (name.trim() === '' ? t('field.nameMissing') : null) },
  })
  const choices = useLimitChoices()
  const [draft, setDraft] = useState(NEW_OPERATOR)
  const creating = useMutation({
    mutationFn: (name: string) => createOperator({ name, ...rightsOf(draft, choices) }),
    onSuccess: async ({ name, sign_in_link: link }) => {
      onCreated(name, link)
      await client.invalidateQueries({ queryKey: queryKeys.operators })
    },
  })
  return (
    <SubmitForm
      onSubmit={form.onSubmit(({ name }) => {
        if (isComplete(draft, choices)) creating.mutate(name.trim())
      })}
      submitting={creating}
      submitLabel={t('operators.createSubmit')}
      onCancel={onCancel}
      describe={(error) => hasStatus(error, 409) && <FormAlert>{t('operators.nameTaken')}</FormAlert>}
    >
      <Text size="sm">{t('operators.newHelp')}</Text>
      <TextInput
        label={t('field.name')}
        required
        maxLength={100}
        autoComplete="off"
        data-autofocus
        key={form.key('name')}
        {...form.getInputProps('name')}
      />
      <RoleFields draft={draft} onChange={setDraft} choices={choices} />
    </SubmitForm>
  )
}
