import { Button, PasswordInput, Stack, Text, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useMutation } from '@tanstack/react-query'
import { type ReactNode, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { hasStatus } from '../api/api-error.ts'
import { type Session, signIn } from '../api/session.ts'
import { Failure } from '../feedback/failure.tsx'
import { FormAlert } from '../forms/form-alert.tsx'

type SignInFormProps = {
  /** The heading, and the reason why one has to sign in. */
  children: ReactNode
  /** The name that is filled in; undefined for a visitor that is not known. */
  name?: string
  onSignedIn(session: Session): void
}

/** Signs in by name and password. */
export function SignInForm({ children, name, onSignedIn }: SignInFormProps) {
  const { t } = useTranslation()
  const passwordInput = useRef<HTMLInputElement>(null)
  const form = useForm({ mode: 'uncontrolled', initialValues: { name: name ?? '', password: '' } })
  const signingIn = useMutation({
    mutationFn: signIn,
    onSuccess: onSignedIn,
    onError: () => passwordInput.current?.select(),
  })
  const isWrong = hasStatus(signingIn.error, 401)
  return (
    <form onSubmit={form.onSubmit((values) => signingIn.mutate(values))}>
      <Stack>
        {children}
        <TextInput
          label={t('signIn.name')}
          autoComplete="username"
          required
          withAsterisk={false}
          data-autofocus={name === undefined || undefined}
          autoFocus={name === undefined}
          key={form.key('name')}
          {...form.getInputProps('name')}
        />
        <PasswordInput
          label={t('signIn.password')}
          autoComplete="current-password"
          required
          withAsterisk={false}
          data-autofocus={name !== undefined || undefined}
          autoFocus={name !== undefined}
          aria-invalid={isWrong || undefined}
          visibilityToggleButtonProps={{ 'aria-label': t('signIn.showPassword') }}
          key={form.key('password')}
          {...form.getInputProps('password')}
          ref={passwordInput}
        />
        {signingIn.isError &&
          (isWrong ? <FormAlert>{t('signIn.wrong')}</FormAlert> : <Failure error={signingIn.error} />)}
        <Button type="submit" loading={signingIn.isPending}>
          {t('signIn.submit')}
        </Button>
        <Text size="sm" c="dimmed">
          {t('signIn.forgotten')}
        </Text>
      </Stack>
    </form>
  )
}
