import { Button, PasswordInput, Stack, Text } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { MIN_PASSWORD_LENGTH } from '../../../src/operator/model/sign-in-rules.ts'
import { PageTitle } from '../../ui/titles.tsx'
import { ApiError, hasStatus } from '../api/api-error.ts'
import { signInLinkQuery } from '../api/session.ts'
import { fieldErrors } from '../components/error-message.ts'
import { Failure, FormAlert, Loading } from '../components/feedback.tsx'
import { OutsidePage } from '../components/page-frames.tsx'
import { paths, signInLinkToken } from '../components/paths.ts'
import { redeemSignInLink } from '../generated/sdk.gen.ts'
import type { SecondFactorNeeded, Session } from '../generated/types.gen.ts'
import { SecondFactorForm, SignInForm, UsernameInput, useContinueAfterSignIn } from './sign-in-form.tsx'

/** Signs in by name and password, or by a link that sets a password. */
export function SignInPage() {
  const { back } = useSearch({ from: paths.signIn })
  const [linkToken, setLinkToken] = useState(takeLinkToken)
  return (
    <OutsidePage>
      {linkToken === undefined ? (
        <SignIn back={back} />
      ) : (
        <LinkOpened token={linkToken} onDismiss={() => setLinkToken(undefined)} />
      )}
    </OutsidePage>
  )
}

function SignIn({ back }: { back: string | undefined }) {
  const { t } = useTranslation()
  const continueToPage = useContinueAfterSignIn(back)
  return (
    <SignInForm back={back ?? paths.home} onSignedIn={continueToPage}>
      <PageTitle title={t('signIn.title')} />
      {back !== undefined && back !== paths.home && <Text c="dimmed">{t('signIn.toContinue')}</Text>}
    </SignInForm>
  )
}

/** Removes the token of a link from the address at once, so that it stays out of the history. */
function takeLinkToken(): string | undefined {
  const token = signInLinkToken(location.hash)
  if (token !== undefined) history.replaceState(history.state, '', location.pathname + location.search)
  return token
}

type LinkOpenedProps = { token: string; onDismiss(): void }

/** Checks a sign-in link before anybody types a password for it. */
function LinkOpened({ token, onDismiss }: LinkOpenedProps) {
  const { t } = useTranslation()
  const owner = useQuery(signInLinkQuery(token))
  if (owner.data !== undefined) return <PasswordSetForm token={token} name={owner.data.name} onDismiss={onDismiss} />
  if (hasStatus(owner.error, 410)) return <LinkEnded onDismiss={onDismiss} />
  if (!owner.isError) return <Loading />
  return (
    <>
      <PageTitle title={t('password.setTitle')} />
      <Failure error={owner.error} onRetry={() => void owner.refetch()} />
    </>
  )
}

function LinkEnded({ onDismiss }: { onDismiss(): void }) {
  const { t } = useTranslation()
  return (
    <Stack role="alert">
      <PageTitle title={t('password.linkOverTitle')} />
      <Text>{t('password.linkOver')}</Text>
      <Text>{t('password.linkOverHelp')}</Text>
      <Button onClick={onDismiss}>{t('password.toSignIn')}</Button>
    </Stack>
  )
}

type PasswordSetFormProps = { token: string; name: string; onDismiss(): void }

/** Sets an operator's first or new password by a link. A second factor follows where one is set up. */
function PasswordSetForm({ token, name, onDismiss }: PasswordSetFormProps) {
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
    mutationFn: ({ password }: { password: string }) => redeemSignInLink({ body: { token, password } }),
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
