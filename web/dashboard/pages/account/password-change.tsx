import { Button, Group, Paper, PasswordInput, Stack, Title } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { MIN_PASSWORD_LENGTH } from '../../../../src/operator/domain/password-length.ts'
import { hasStatus } from '../../api/api-error.ts'
import { queryKeys } from '../../api/query-keys.ts'
import { changePassword } from '../../api/session.ts'
import { fieldErrors } from '../../feedback/error-message.ts'
import { Failure } from '../../feedback/failure.tsx'
import { notify } from '../../feedback/notify.ts'
import { FormAlert } from '../../forms/form-alert.tsx'
import type { Key } from '../../i18n/en.ts'

const FIELDS: { name: 'current' | 'password' | 'again'; key: Key; autoComplete: string }[] = [
  { name: 'current', key: 'password.current', autoComplete: 'current-password' },
  { name: 'password', key: 'password.new', autoComplete: 'new-password' },
  { name: 'again', key: 'password.again', autoComplete: 'new-password' },
]

/** A new password in the place of the one in use. */
export function PasswordChange() {
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
    onSuccess: async () => {
      form.reset()
      notify(t('password.changed'))
      await client.invalidateQueries({ queryKey: queryKeys.sessions })
    },
  })
  return (
    <Paper withBorder p="lg" bg="var(--panel-background)">
      <form onSubmit={form.onSubmit((values) => changing.mutate(values))} noValidate>
        <Stack>
          <Title order={2}>{t('password.changeTitle')}</Title>
          {FIELDS.map(({ name, key, autoComplete }) => (
            <PasswordInput
              label={t(key)}
              description={name === 'password' ? t('password.rule', { count: MIN_PASSWORD_LENGTH }) : undefined}
              autoComplete={autoComplete}
              visibilityToggleButtonProps={{ 'aria-label': t('signIn.showPassword') }}
              key={form.key(name)}
              {...form.getInputProps(name)}
            />
          ))}
          {changing.isError && <ChangeFailed error={changing.error} />}
          <Group justify="flex-end">
            <Button type="submit" loading={changing.isPending}>
              {t('password.changeSubmit')}
            </Button>
          </Group>
        </Stack>
      </form>
    </Paper>
  )
}

function ChangeFailed({ error }: { error: unknown }) {
  const { t } = useTranslation()
  if (hasStatus(error, 403)) return <FormAlert>{t('password.currentWrong')}</FormAlert>
  if ('password' in fieldErrors(error)) return <FormAlert>{t('password.weak')}</FormAlert>
  return <Failure error={error} />
}
