import { Button, PasswordInput, Stack, Text, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useMutation } from '@tanstack/react-query'
import { type ReactNode, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { hasStatus } from '../api/api-error.ts'
import { type SecondFactorNeeded, type Session, signIn } from '../api/session.ts'
import { Failure } from '../feedback/failure.tsx'
import { FormAlert } from '../forms/form-alert.tsx'
import { OtherWays } from './other-ways.tsx'
import { SecondFactorForm } from './second-factor-form.tsx'

type SignInFormProps = {
  /** The heading, and the reason why one has to sign in. */
  children: ReactNode
  /** Address to return to from the identity provider; this one by default. */
  back?: string
  /** The name that is filled in; undefined for a visitor that is not known. */
  name?: string
  onSignedIn(session: Session): void
}

/** Signs in by name and password, and by a second factor where one is set up. */
export function SignInForm({ children, name, back, onSignedIn }: SignInFormProps) {
  const [needed, setNeeded] = useState<SecondFactorNeeded>()
  // The heading stays in its place: it takes the focus when it is mounted.
  return (
    <Stack>
      {children}
      {needed === undefined ? (
        <>
          <PasswordForm
            name={name}
            onDone={(done) => ('second_factors' in done ? setNeeded(done) : onSignedIn(done))}
          />
          <OtherWays back={back} onSignedIn={onSignedIn} />
        </>
      ) : (
        <SecondFactorForm needed={needed} onSignedIn={onSignedIn} onStartOver={() => setNeeded(undefined)} />
      )}
    </Stack>
  )
}

type PasswordFormProps = Pick<SignInFormProps, 'name'> & {
  onDone(done: Session | SecondFactorNeeded): void
}

function PasswordForm({ name, onDone }: PasswordFormProps) {
  const { t } = useTranslation()
  const passwordInput = useRef<HTMLInputElement>(null)
  const form = useForm({ mode: 'uncontrolled', initialValues: { name: name ?? '', password: '' } })
  const signingIn = useMutation({
    mutationFn: signIn,
    onSuccess: onDone,
    onError: () => passwordInput.current?.select(),
  })
  const isWrong = hasStatus(signingIn.error, 401)
  return (
    <form onSubmit={form.onSubmit((values) => signingIn.mutate(values))}>
      <Stack>
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
