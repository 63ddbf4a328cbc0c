import { Paper, PasswordInput, Title } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { MIN_PASSWORD_LENGTH } from '../../../../src/operator/domain/password-length.ts'
import { hasStatus } from '../../api/api-error.ts'
import { queryKeys } from '../../api/query-keys.ts'
import { changePassword } from '../../api/session.ts'
import { fieldErrors } from '../../feedback/error-message.ts'
import { notify } from '../../feedback/notify.ts'
import { FormAlert } from '../../forms/form-alert.tsx'
import { SubmitForm } from '../../forms/submit-form.tsx'
import type { Key } from '../../i18n/en.ts'
import { UsernameInput } from '../../sign-in/username-input.tsx'

const FIELDS: { name: 'current' | 'password' | 'again'; key: Key; autoComplete: string }[] = [
  { name: 'current', key: 'password.current', autoComplete: 'current-password' },
  { name: 'password', key: 'password.new', autoComplete: 'new-password' },
  { name: 'again', key: 'password.again', autoComplete: 'new-password' },
]

/** Changes the signed-in operator's password. */
export function PasswordChange({ name }: { name: string }) {
  const { t } = useTranslation()
  const client = useQueryClient()
  const form = useForm({
    mode: 'uncontrolled',
    initialValues: { current: '', password: '', again: '' },
    validate: {
      current: (current) => (current === '' ? t('password.currentMissing') : null),
      password: (password) =>
        [...password].length < MIN_PASSWORD_LENGTH ? t('password.tooShort', { count: MIN_PASSWORD_LENGTH }) : null,
      again: (again, { password }) => (again === password ? null : t('password.different')),
    },
  })
  const changing = useMutation({
    mutationFn: ({ current, password }: { current: string; password: string }) =>
      changePassword({ current_password: current, password }),
    onError: (error) => form.getInputNode(hasStatus(error, 403) ? 'current' : 'password')?.focus(),
    onSuccess: async () => {
      form.reset()
      notify(t('password.changed'))
      await client.invalidateQueries({ queryKey: queryKeys.sessions })
    },
  })
  const describe = (error: unknown) => {
    if (hasStatus(error, 403)) return <FormAlert>{t('password.currentWrong')}</FormAlert>
    return 'password' in fieldErrors(error) ? <FormAlert>{t('password.weak')}</FormAlert> : undefined
  }
  return (
    <Paper withBorder p="lg" bg="var(--panel-background)">
      <SubmitForm
        onSubmit={form.onSubmit((values) => changing.mutate(values))}
        submitting={changing}
        submitLabel={t('password.changeSubmit')}
        describe={describe}
      >
        <Title order={2}>{t('password.changeTitle')}</Title>
        <UsernameInput name={name} />
        {FIELDS.map(({ name: field, key, autoComplete }) => (
          <PasswordInput
            label={t(key)}
            description={field === 'password' ? t('password.rule', { count: MIN_PASSWORD_LENGTH }) : undefined}
            autoComplete={autoComplete}
            visibilityToggleButtonProps={{ 'aria-label': t('signIn.showPassword') }}
            key={form.key(field)}
            {...form.getInputProps(field)}
          />
        ))}
      </SubmitForm>
    </Paper>
  )
}
