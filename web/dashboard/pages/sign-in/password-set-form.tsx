import { Button, PasswordInput, Stack, Text } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { MIN_PASSWORD_LENGTH } from '../../../../src/operator/domain/password-length.ts'
import { PageTitle } from '../../../ui/page-title.tsx'
import { ApiError } from '../../api/api-error.ts'
import { type SecondFactorNeeded, type Session, signInByLink } from '../../api/session.ts'
import { fieldErrors } from '../../feedback/error-message.ts'
import { Failure } from '../../feedback/failure.tsx'
import { FormAlert } from '../../forms/form-alert.tsx'
import { SecondFactorForm } from '../../sign-in/second-factor-form.tsx'
import { UsernameInput } from '../../sign-in/username-input.tsx'
import { useContinueAfterSignIn } from './use-continue-after-sign-in.ts'

type PasswordSetFormProps = { token: string; name: string; onDismiss(): void }

/** Sets an operator's first or new password by a link. A second factor follows where one is set up. */
export function PasswordSetForm({ token, name, onDismiss }: PasswordSetFormProps) {
  const { t } = useTranslation()
  const continueToPage = useContinueAfterSignIn(undefined)
  const [needed, setNeeded] = useState<SecondFactorNeeded>()
  if (needed === undefined)
    return (
      <PasswordFields
        token={token}
        name={name}
        onDone={(done) => ('second_factors' in done ? setNeeded(done) : continueToPage(done))}
      />
    )
  return (
    <>
      <PageTitle title={t('secondFactor.title')} />
      <SecondFactorForm needed={needed} onSignedIn={continueToPage} onStartOver={onDismiss} />
    </>
  )
}

type PasswordFieldsProps = { token: string; name: string; onDone(done: Session | SecondFactorNeeded): void }

function PasswordFields({ token, name, onDone }: PasswordFieldsProps) {
  const { t } = useTranslation()
  const form = useForm({
    mode: 'uncontrolled',
    initialValues: { password: '', again: '' },
    validate: {
      password: (password) =>
        [...password].length < MIN_PASSWORD_LENGTH ? t('password.tooShort', { count: MIN_PASSWORD_LENGTH }) : null,
      again: (again, { password }) => (again === password ? null : t('password.different')),
    },
  })
  const setting = useMutation({
    mutationFn: ({ password }: { password: string }) => signInByLink({ token, password }),
    onSuccess: onDone,
    onError: () => form.getInputNode('password')?.focus(),
  })
  const focusFirst = (errors: object) => form.getInputNode(Object.keys(errors)[0] as 'password')?.focus()
  return (
    <form onSubmit={form.onSubmit((values) => setting.mutate(values), focusFirst)}>
      <Stack>
        <PageTitle title={t('password.setTitle')} />
        <Text c="dimmed">{t('password.setExplanation', { name })}</Text>
        <UsernameInput name={name} />
        <PasswordInput
          label={t('password.new')}
          description={t('password.rule', { count: MIN_PASSWORD_LENGTH })}
          autoComplete="new-password"
          autoFocus
          visibilityToggleButtonProps={{ 'aria-label': t('signIn.showPassword') }}
          key={form.key('password')}
          {...form.getInputProps('password')}
        />
        <PasswordInput
          label={t('password.again')}
          autoComplete="new-password"
          visibilityToggleButtonProps={{ 'aria-label': t('signIn.showPassword') }}
          key={form.key('again')}
          {...form.getInputProps('again')}
        />
        {setting.isError && <SettingFailed error={setting.error} />}
        <Button type="submit" loading={setting.isPending}>
          {t('password.setSubmit')}
        </Button>
      </Stack>
    </form>
  )
}

function SettingFailed({ error }: { error: unknown }) {
  const { t } = useTranslation()
  if (error instanceof ApiError && [401, 403, 404, 410].includes(error.status))
    return (
      <FormAlert>
        {t('password.linkOver')} {t('password.linkOverHelp')}
      </FormAlert>
    )
  if ('password' in fieldErrors(error)) return <FormAlert>{t('password.weak')}</FormAlert>
  return <Failure error={error} />
}
