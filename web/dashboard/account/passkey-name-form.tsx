import { TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import type { ComponentProps } from 'react'
import { useTranslation } from 'react-i18next'
import { SubmitForm } from '../forms/submit-form.tsx'

type PasskeyNameFormProps = Pick<
  ComponentProps<typeof SubmitForm>,
  'submitting' | 'submitLabel' | 'onCancel' | 'describe'
> & {
  /** Name at the beginning. */
  name: string
  onSubmit(name: string): void
}

/** Asks for the name of a passkey. */
export function PasskeyNameForm({ name, onSubmit, ...rest }: PasskeyNameFormProps) {
  const { t } = useTranslation()
  const form = useForm({
    mode: 'uncontrolled',
    initialValues: { name },
    validate: { name: (given) => (given.trim() === '' ? t('field.nameMissing') : null) },
  })
  return (
    <SubmitForm onSubmit={form.onSubmit((given) => onSubmit(given.name.trim()))} {...rest}>
      <TextInput
        label={t('passkey.name')}
        description={t('passkey.nameHelp')}
        required
        maxLength={100}
        autoComplete="off"
        data-autofocus
        key={form.key('name')}
        {...form.getInputProps('name')}
      />
    </SubmitForm>
  )
}
